import { parse } from 'liqe';

/** Parses, and does nothing else: https://github.com/gajus/liqe */
export function parseLiqe(text: string): unknown {
  return parse(text);
}
