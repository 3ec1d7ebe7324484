import { composed } from './composed.js';
import { checkPattern } from './pattern.js';
import type { TypeRule } from './type-rule.js';
import { UNORDERED } from './unordered.js';
import { wholePattern } from './whole-pattern.js';

/** Any text is a keyword, the empty one too; letter case and accents are folded by the index. */
export const KEYWORD: TypeRule = {
  ...UNORDERED,
  equals: ({ field }, value) => ({ kind: 'equal', field, value: composed(value.text) }),
  resembles: (comparison, value, pattern) => checkPattern(comparison, value, 'whole', wholePattern(pattern)),
};
