import { checkCriteria, checkPredicates } from './check/check.js';
import { compileCriteria } from './compile/compile-criteria.js';
import type { QueryClause } from './compile/query.js';
import type { CriteriaError } from './errors/criteria-error.js';
import type { CriteriaFields } from './fields.js';
import { type CriteriaLimits, withDefaults } from './limits.js';
import { parseCriteria } from './parse/parse.js';
import { printCriteria } from './print/print-criteria.js';

/** A query for the index and its canonical spelling, or what is wrong with the text. */
export type Compiled =
  | { readonly ok: true; readonly query: QueryClause; readonly canonical: string }
  | { readonly ok: false; readonly errors: readonly CriteriaError[] };

/**
 * Criteria text to a clause for `bool.filter`. Mistakes of meaning are all reported, up to the limit; the first
 * mistake in the syntax comes last. Never throws, whatever the text.
 */
export function compile(text: string, fields: CriteriaFields, limits?: Partial<CriteriaLimits>): Compiled {
  const parsed = parseCriteria(text, limits, fields);
  if (!parsed.ok) return { ok: false, errors: withFindings(parsed, fields, limits) };
  const checked = checkCriteria(parsed.value, fields, limits);
  if (!checked.ok) return checked;
  return { ok: true, query: compileCriteria(checked.value), canonical: printCriteria(checked.value) };
}

function withFindings(
  failed: Exclude<ReturnType<typeof parseCriteria>, { ok: true }>,
  fields: CriteriaFields,
  limits?: Partial<CriteriaLimits>,
): readonly CriteriaError[] {
  const findings = checkPredicates(failed.predicates, fields, limits);
  return [...findings, ...failed.errors].slice(0, withDefaults(limits).errors);
}
