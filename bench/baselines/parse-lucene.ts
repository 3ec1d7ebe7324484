import lucene from 'lucene';

/** Parses, and does nothing else: https://github.com/bripkens/lucene */
export function parseLucene(text: string): unknown {
  return lucene.parse(text);
}
