import { parse } from 'liqe';
import lucene from 'lucene';

/** Only parses: https://github.com/gajus/liqe */
export function parseLiqe(text: string): unknown {
  return parse(text);
}

/** Only parses: https://github.com/bripkens/lucene */
export function parseLucene(text: string): unknown {
  return lucene.parse(text);
}
