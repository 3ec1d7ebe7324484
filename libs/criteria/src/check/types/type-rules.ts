import type { CriteriaFieldType } from '../../fields.js';
import { ADDRESS } from './address.js';
import { BOOLEAN } from './boolean.js';
import { DATE } from './date.js';
import { KEYWORD } from './keyword.js';
import { INTEGER, NUMBER } from './number.js';
import { TEXT } from './text.js';
import type { TypeRule } from './type-rule.js';

/** What each type of field allows; a new type is a new row. */
export const TYPE_RULES: Readonly<Record<CriteriaFieldType, TypeRule>> = {
  keyword: KEYWORD,
  text: TEXT,
  number: NUMBER,
  integer: INTEGER,
  date: DATE,
  boolean: BOOLEAN,
  address: ADDRESS,
};
