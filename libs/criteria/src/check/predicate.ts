import type { CriteriaFields, CriteriaFieldType } from '../fields.js';
import { operatorsOf } from '../operators.js';
import type { EqualityForm, GroupNode, OperandNode, PredicateNode, ValueNode } from '../parse/syntax-tree.js';
import { DATE } from './date.js';
import { INTEGER, NUMBER } from './number.js';
import type { Failures } from './type-failures.js';
import { Comparison, type TypeRule } from './type-failures.js';
import { type CheckedNode, combine, negate } from './typed-tree.js';
import { ADDRESS, BOOLEAN, KEYWORD, refusesWholeValues, TEXT } from './unordered.js';

/** The rules by type; a new type is a new row. */
const TYPE_RULES: Readonly<Record<CriteriaFieldType, TypeRule>> = {
  keyword: KEYWORD,
  text: TEXT,
  number: NUMBER,
  integer: INTEGER,
  date: DATE,
  boolean: BOOLEAN,
  address: ADDRESS,
};

/** Gives a predicate its field and its typed values, or records the rules that it breaks. */
export function checkPredicate(
  predicate: PredicateNode,
  fields: CriteriaFields,
  failures: Failures,
): CheckedNode | undefined {
  const field = fields.find(predicate.field);
  if (field === undefined) {
    failures.add({ rule: 'field', predicate, field, operand: undefined });
    return undefined;
  }
  if (predicate.kind === 'exists') return { kind: 'exists', field };
  const comparison = new Comparison(field, predicate, failures);
  switch (predicate.kind) {
    case 'equals':
      return checkOperand(predicate.operand, predicate.form, comparison);
    case 'value':
      return predicate.operator === 'like'
        ? checkLike(comparison, predicate.operand)
        : checkRelation(comparison, predicate.operand, predicate.operator);
    case 'in':
      return refusesWholeValues(comparison) ? undefined : checkAll('or', predicate.operands, 'whole', comparison);
    case 'group':
      if (predicate.form === 'whole' && refusesWholeValues(comparison)) return undefined;
      return checkPart(predicate.group, predicate.form, comparison);
  }
}

/** A group distributes its field and operator: `f:(a and not b)` is `f:a and not f:b`. */
function checkPart(part: GroupNode, form: EqualityForm, comparison: Comparison): CheckedNode | undefined {
  switch (part.kind) {
    case 'and':
    case 'or':
      return checkAll(part.kind, part.parts, form, comparison);
    case 'not': {
      const term = checkPart(part.part, form, comparison);
      return term && negate(term);
    }
    default:
      return checkOperand(part, form, comparison);
  }
}

function checkAll(
  kind: 'and' | 'or',
  parts: readonly GroupNode[],
  form: EqualityForm,
  comparison: Comparison,
): CheckedNode | undefined {
  const terms = parts.map((part) => checkPart(part, form, comparison)).filter((term) => term !== undefined);
  return terms.length === parts.length ? combine(kind, terms) : undefined;
}

function checkOperand(operand: OperandNode, form: EqualityForm, comparison: Comparison): CheckedNode | undefined {
  const { field } = comparison;
  switch (operand.kind) {
    case 'any':
      return { kind: 'exists', field };
    case 'null':
      return negate({ kind: 'exists', field });
    case 'scalar':
      return checkValue(operand, form, comparison);
    case 'range': {
      const isLowValid = isValidBound(operand.low, comparison);
      const isHighValid = isValidBound(operand.high, comparison);
      return isLowValid && isHighValid ? TYPE_RULES[field.type].inRange(comparison, operand) : undefined;
    }
  }
}

function checkValue(value: ValueNode, form: EqualityForm, comparison: Comparison): CheckedNode | undefined {
  if (!isValid(value, comparison)) return undefined;
  const rule = TYPE_RULES[comparison.field.type];
  return value.pattern === undefined
    ? rule.equals(comparison, value, form)
    : rule.matches(comparison, value, value.pattern, form);
}

function checkRelation(
  comparison: Comparison,
  value: ValueNode,
  relation: '>' | '>=' | '<' | '<=',
): CheckedNode | undefined {
  return isValidBound(value, comparison)
    ? TYPE_RULES[comparison.field.type].compares(comparison, value, relation)
    : undefined;
}

/** `like` compares the whole value with a pattern; one without a wildcard is the value itself. */
function checkLike(comparison: Comparison, value: ValueNode): CheckedNode | undefined {
  if (refusesWholeValues(comparison)) return undefined;
  if (!operatorsOf(comparison.field).includes('like')) return comparison.fail('like');
  return checkValue(value, 'whole', comparison);
}

/** Returns whether a value is not too long and has no half of a surrogate pair, because the index stores none. */
function isValid(value: ValueNode, comparison: Comparison): boolean {
  const isShort = value.text.length <= comparison.failures.limits.valueLength;
  if (isShort && value.text.isWellFormed()) return true;
  comparison.fail(isShort ? 'encoding' : 'valueLength', value);
  return false;
}

/** Returns whether a bound is such a value without a wildcard; an absent bound is valid. */
function isValidBound(value: ValueNode | undefined, comparison: Comparison): boolean {
  if (value === undefined) return true;
  if (!isValid(value, comparison)) return false;
  if (value.pattern === undefined) return true;
  comparison.fail('boundPattern', value);
  return false;
}
