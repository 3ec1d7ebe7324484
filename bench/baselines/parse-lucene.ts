import lucene from 'lucene';

/** Parse alone, and nothing else done with it: https://github.com/bripkens/lucene */
export function parseLucene(text: string): unknown {
  return lucene.parse(text);
}
