import { parse } from 'liqe';

/** Parse alone, and nothing else done with it: https://github.com/gajus/liqe */
export function parseLiqe(text: string): unknown {
  return parse(text);
}
