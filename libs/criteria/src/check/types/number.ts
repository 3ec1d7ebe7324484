import { echo } from '../../errors/echo.js';
import type { RangeNode, Relation, ValueNode } from '../../parse/nodes.js';
import type { Bounds, CheckedNode } from '../nodes.js';
import { numberOf } from './number-literal.js';
import type { Comparison, TypeRule } from './type-rule.js';

/** Reads a literal, or notes why it is none. */
type Reader = (comparison: Comparison, value: ValueNode) => number | undefined;

const SMALLEST_INTEGER = -(2 ** 31);
const LARGEST_INTEGER = 2 ** 31 - 1;

/** IEEE doubles. An infinity would vanish from the query's JSON and widen the filter, so it is refused. */
const readNumber: Reader = ({ findings, field }, value) => {
  const number = numberOf(value.text);
  const advice = { expectedType: field.type };
  if (number === undefined)
    return findings.add('INVALID_VALUE', value, `"${echo(value.text)}" is not a number`, advice);
  if (Number.isFinite(number)) return number;
  return findings.add('INVALID_VALUE', value, `"${echo(value.text)}" is too large a number`, advice);
};

/** Whole numbers of 32 bits: the index answers an error to any larger. */
const readInteger: Reader = (comparison, value) => {
  const number = readNumber(comparison, value);
  if (number === undefined) return undefined;
  const { findings, field } = comparison;
  const advice = { expectedType: field.type };
  if (!Number.isInteger(number)) {
    return findings.add('INVALID_VALUE', value, `"${field.name}" takes whole numbers`, advice);
  }
  if (number >= SMALLEST_INTEGER && number <= LARGEST_INTEGER) return number;
  const detail = `"${field.name}" takes whole numbers from ${SMALLEST_INTEGER} to ${LARGEST_INTEGER}`;
  return findings.add('INVALID_VALUE', value, detail, advice);
};

function ruleFor(read: Reader): TypeRule {
  return {
    equals: (comparison, node) => {
      const value = read(comparison, node);
      return value === undefined ? undefined : Object.freeze({ kind: 'equal', field: comparison.field, value });
    },
    compares: (comparison, node, relation) => {
      const value = read(comparison, node);
      return value === undefined ? undefined : bounded(comparison, { [relation satisfies Relation]: value });
    },
    inRange: (comparison, range) => inRange(comparison, range, read),
  };
}

function inRange(comparison: Comparison, range: RangeNode, read: Reader): CheckedNode | undefined {
  const gte = range.low && read(comparison, range.low);
  const lte = range.high && read(comparison, range.high);
  if ((range.low && gte === undefined) || (range.high && lte === undefined)) return undefined;
  if (gte !== undefined && lte !== undefined && gte > lte) {
    return comparison.findings.add('EMPTY_RANGE', range, 'the lower bound lies above the upper bound');
  }
  return bounded(comparison, definedBounds(gte, lte));
}

function definedBounds(gte: number | undefined, lte: number | undefined): Bounds {
  if (gte === undefined) return lte === undefined ? {} : { lte };
  return lte === undefined ? { gte } : { gte, lte };
}

function bounded({ field }: Comparison, bounds: Bounds): CheckedNode {
  return Object.freeze({ kind: 'range', field, bounds: Object.freeze(bounds) });
}

/** Any finite number. */
export const NUMBER: TypeRule = ruleFor(readNumber);

/** Whole numbers. */
export const INTEGER: TypeRule = ruleFor(readInteger);
