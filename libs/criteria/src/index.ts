export { checkCriteria } from './check/check.js';
export type { Bounds, CheckedNode, CheckedPredicate, Scalar } from './check/nodes.js';
export { compileCriteria } from './compile/compile-criteria.js';
export type { QueryClause } from './compile/predicates.js';
export { printCriteria } from './compile/print-criteria.js';
export { type Compiled, compile, queryOf } from './compile.js';
export { CRITERIA_OPERATORS, type CriteriaOperator, operatorsOf } from './describe/operators.js';
export {
  CRITERIA_ERROR_CODES,
  type CriteriaError,
  type CriteriaErrorCode,
  type CriteriaErrorItem,
  type Span,
  toErrorItem,
} from './errors/criteria-error.js';
export { snippet } from './errors/snippet.js';
export { type CriteriaField, type CriteriaFields, type CriteriaFieldType, criteriaFields } from './fields.js';
export { type CriteriaLimits, DEFAULT_LIMITS } from './limits.js';
export type { CriteriaNode, OperandNode, PredicateNode, ValueNode } from './parse/nodes.js';
export { type ParsedCriteria, parseCriteria } from './parse/parse.js';
export type { Result } from './result.js';
