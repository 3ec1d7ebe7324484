import { checkCriteria } from './check/check.js';
import type { CheckedNode } from './check/typed-tree.js';
import type { QueryClause } from './compile/compile-criteria.js';
import { compileCriteria } from './compile/compile-criteria.js';
import { printCriteria } from './compile/print-criteria.js';
import type { CriteriaError, Explanation } from './diagnostics/criteria-error.js';
import { guarded } from './diagnostics/guard.js';
import { explainParse } from './diagnostics/syntax-errors.js';
import { explainCheck } from './diagnostics/type-errors.js';
import type { CriteriaFields } from './fields.js';
import { type CriteriaLimits, withDefaults } from './limits.js';
import { parseCriteria } from './parse/parse.js';

/** Either a value, or the errors in the text, in the order of the text. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly CriteriaError[] };

type Explained =
  | { readonly ok: true; readonly value: CheckedNode }
  | { readonly ok: false; readonly errors: readonly Explanation[] };

/** A query for the index and its canonical spelling, or the errors in the text. The query is the caller's own. */
export type Compiled =
  | { readonly ok: true; readonly query: QueryClause; readonly canonical: string }
  | { readonly ok: false; readonly errors: readonly CriteriaError[] };

/**
 * Compiles criteria to a clause for `bool.filter`. Errors of meaning are all reported, up to the limit; the first
 * syntax error comes last. Never throws, whatever the text.
 */
export function compile(text: string, fields: CriteriaFields, limits?: Partial<CriteriaLimits>): Compiled {
  const checked = parseAndCheck(text, fields, withDefaults(limits));
  if (!checked.ok) return checked;
  return { ok: true, query: compileCriteria(checked.value), canonical: printCriteria(checked.value) };
}

/** Compiles to the clause alone, for callers that do not compare texts. */
export function queryOf(text: string, fields: CriteriaFields, limits?: Partial<CriteriaLimits>): Result<QueryClause> {
  const checked = parseAndCheck(text, fields, withDefaults(limits));
  return checked.ok ? { ok: true, value: compileCriteria(checked.value) } : checked;
}

function parseAndCheck(text: string, fields: CriteriaFields, limits: CriteriaLimits): Result<CheckedNode> {
  const explained = explain(text, fields, limits);
  if (explained.ok) return explained;
  const errorsIn = (rewritten: string) => {
    const again = explain(rewritten, fields, limits);
    return again.ok ? [] : again.errors;
  };
  return { ok: false, errors: explained.errors.map((error) => guarded(error, { text, fields, errorsIn })) };
}

function explain(text: string, fields: CriteriaFields, limits: CriteriaLimits): Explained {
  const parsed = parseCriteria(text, limits);
  if (!parsed.ok) return { ok: false, errors: explainParse(text, parsed, fields, limits) };
  const checked = checkCriteria(parsed.value, fields, limits);
  return checked.ok ? checked : { ok: false, errors: explainCheck(text, checked.failures, fields, limits) };
}
