import type { CriteriaField, CriteriaFieldType } from '../fields.js';

const EQUALITY = [':', '=', '!='] as const;
const ORDER = ['>', '>=', '<', '<=', '..', 'between'] as const;

/** The operators a field may take, one spelling of each, in the order they are listed to clients. */
export const CRITERIA_OPERATORS = [...EQUALITY, ...ORDER, 'in', 'like', 'exists'] as const;

/** One of {@link CRITERIA_OPERATORS}; `..` is the range `a..b` after `:`. */
export type CriteriaOperator = (typeof CRITERIA_OPERATORS)[number];

const WHOLE_VALUES: readonly CriteriaOperator[] = [...EQUALITY, 'in', 'like', 'exists'];
const ORDERED: readonly CriteriaOperator[] = [...EQUALITY, ...ORDER, 'in', 'exists'];
/** Text of which the index keeps the words only. */
const WORDS: readonly CriteriaOperator[] = [':', 'exists'];

/** A spec holds this table to what the checker accepts, both ways. */
const BY_TYPE: Readonly<Record<CriteriaFieldType, readonly CriteriaOperator[]>> = {
  keyword: WHOLE_VALUES,
  text: WHOLE_VALUES,
  number: ORDERED,
  integer: ORDERED,
  date: ORDERED,
  boolean: [...EQUALITY, 'in', 'exists'],
  address: WHOLE_VALUES,
};

/** The operators that a field of its type takes, for people and programs that build criteria. */
export function operatorsOf({ type, exact = false }: CriteriaField): readonly CriteriaOperator[] {
  return type === 'text' && !exact ? WORDS : BY_TYPE[type];
}
