import { failuresOf } from '../check/check.js';
import type { TypeFailure } from '../check/failures.js';
import type { CriteriaFields } from '../fields.js';
import type { CriteriaLimits } from '../limits.js';
import type { ParsedCriteria } from '../parse/parse.js';
import type { CriteriaError } from './criteria-error.js';
import { explainSyntax } from './syntax.js';
import { explainType } from './types.js';

/** Explains a text that the parser refuses: the errors of its complete predicates, then the syntax error. */
export function explainParse(
  text: string,
  { failure, predicates }: Extract<ParsedCriteria, { ok: false }>,
  fields: CriteriaFields,
  limits: CriteriaLimits,
): readonly CriteriaError[] {
  const { rule, start, at } = failure;
  const error = explainSyntax(rule, { text, start, at, before: predicates.at(-1), fields }, limits);
  // A predicate is left out if the error turns its value into something else, such as the name of a function.
  const separate = predicates.filter(
    ({ position, length }) => error.position <= position || error.position >= position + length,
  );
  const others = explainCheck(text, failuresOf(separate, fields, limits), fields, limits);
  return [...others, error].slice(0, limits.errors);
}

/** Explains a text whose predicates break rules about fields, operators and values. */
export function explainCheck(
  text: string,
  failures: readonly TypeFailure[],
  fields: CriteriaFields,
  limits: CriteriaLimits,
): readonly CriteriaError[] {
  return failures.map((failure) => explainType(failure, text, fields, limits));
}
