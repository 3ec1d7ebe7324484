import { isWordCharacter } from '../text/characters.js';
import type { Cursor } from './cursor.js';
import type { CriteriaNode } from './nodes.js';
import { refuseLoneWord } from './predicates/lone-word.js';
import { mistake } from './syntax-mistake.js';

/** The tree of `*` and of blank text. */
export const EVERYTHING: CriteriaNode = Object.freeze({ kind: 'everything' });

/** `*` or `*:*` where a term is due: every document. */
export function readEverything(cursor: Cursor): CriteriaNode {
  const position = cursor.at;
  cursor.at += cursor.startsWith('*:*') ? 3 : 1;
  if (isWordCharacter(cursor.code())) {
    throw refuseLoneWord(cursor, { text: '*', ...cursor.spanFrom(position) });
  }
  if (cursor.startsWith(':')) {
    const detail = 'a field cannot be named by a wildcard';
    throw mistake('UNSUPPORTED_SYNTAX', cursor.spanFrom(position), detail, { hint: 'name the field' });
  }
  cursor.countClause(position);
  return EVERYTHING;
}
