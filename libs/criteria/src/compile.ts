import { checkPredicates, checkTree } from './check/check.js';
import type { CheckedNode } from './check/nodes.js';
import { compileCriteria } from './compile/compile-criteria.js';
import type { QueryClause } from './compile/predicates.js';
import { printCriteria } from './compile/print-criteria.js';
import type { CriteriaError } from './errors/criteria-error.js';
import type { CriteriaFields } from './fields.js';
import { deeplyFrozen } from './frozen.js';
import { type CriteriaLimits, withDefaults } from './limits.js';
import { type ParsedCriteria, readCriteria } from './parse/parse.js';
import type { Result } from './result.js';

/** A query for the index and its canonical spelling, or what is wrong with the text. The query is the caller's own. */
export type Compiled =
  | { readonly ok: true; readonly query: QueryClause; readonly canonical: string }
  | { readonly ok: false; readonly errors: readonly CriteriaError[] };

/**
 * Criteria text to a clause for `bool.filter`. Mistakes of meaning are all reported, up to the limit; the first
 * mistake in the syntax comes last. Never throws, whatever the text.
 */
export function compile(text: string, fields: CriteriaFields, limits?: Partial<CriteriaLimits>): Compiled {
  const checked = readAndCheck(text, fields, limits);
  if (!checked.ok) return deeplyFrozen(checked);
  return { ok: true, query: compileCriteria(checked.value), canonical: printCriteria(checked.value) };
}

/** The clause alone, for those who do not compare texts. */
export function queryOf(text: string, fields: CriteriaFields, limits?: Partial<CriteriaLimits>): Result<QueryClause> {
  const checked = readAndCheck(text, fields, limits);
  return checked.ok ? { ok: true, value: compileCriteria(checked.value) } : deeplyFrozen(checked);
}

/** Neither tree leaves the package, so neither is frozen. */
function readAndCheck(text: string, fields: CriteriaFields, limits?: Partial<CriteriaLimits>): Result<CheckedNode> {
  const parsed = readCriteria(text, limits, fields);
  if (!parsed.ok) return { ok: false, errors: withFindings(parsed, fields, limits) };
  return checkTree(parsed.value, fields, limits);
}

function withFindings(
  failed: Exclude<ParsedCriteria, { ok: true }>,
  fields: CriteriaFields,
  limits?: Partial<CriteriaLimits>,
): readonly CriteriaError[] {
  const findings = checkPredicates(failed.predicates, fields, limits);
  return [...findings, ...failed.errors].slice(0, withDefaults(limits).errors);
}
