import type { TypeRule } from './type-rule.js';
import { UNORDERED } from './unordered.js';

/** Any text is a keyword, the empty one too; letter case and accents are folded by the index. */
export const KEYWORD: TypeRule = {
  ...UNORDERED,
  equals: ({ field }, value) => Object.freeze({ kind: 'equal', field, value: value.text.normalize('NFC') }),
};
