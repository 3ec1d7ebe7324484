export { type CheckedCriteria, checkCriteria } from './check/check.js';
export { foldCharacter } from './check/index-folding.js';
export type { TypeFailure } from './check/type-failures.js';
export type { Bounds, CheckedNode, CheckedPredicate, Scalar } from './check/typed-tree.js';
export { type ClauseValue, type CriteriaClause, clausesOf } from './clauses.js';
export type { QueryClause } from './compile/compile-criteria.js';
export { compileCriteria } from './compile/compile-criteria.js';
export { printCriteria } from './compile/print-criteria.js';
export { type Completion, type Completions, completionsAt, type ValuePlace, valueText } from './complete.js';
export { type Compiled, compile, queryOf, type Result } from './criteria.js';
export {
  CRITERIA_ERROR_CODES,
  type CriteriaError,
  type CriteriaErrorCode,
  type CriteriaErrorItem,
  type Rewrite,
  toErrorItem,
} from './diagnostics/criteria-error.js';
export { editDistance, suggestField } from './diagnostics/field-names.js';
export { snippet } from './diagnostics/snippet.js';
export { type CriteriaField, type CriteriaFields, type CriteriaFieldType, criteriaFields } from './fields.js';
export { type CriteriaLimits, DEFAULT_LIMITS } from './limits.js';
export { CRITERIA_OPERATORS, type CriteriaOperator, operatorsOf } from './operators.js';
export { type ParsedCriteria, parseCriteria } from './parse/parse.js';
export type { SyntaxFailure } from './parse/syntax-failure.js';
export type { CriteriaNode, OperandNode, PredicateNode, Span, ValueNode } from './parse/syntax-tree.js';
