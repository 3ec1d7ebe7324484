import { echo } from '../../errors/echo.js';
import type { RangeNode, Relation, ValueNode } from '../../parse/nodes.js';
import type { Bounds, CheckedNode } from '../nodes.js';
import { numberHint } from './number-hint.js';
import { numberOf } from './number-literal.js';
import { refusePattern } from './pattern.js';
import type { Comparison, TypeRule } from './type-rule.js';

const CROSSED = 'the lower bound lies above the upper bound';
const NOTHING_BETWEEN = 'nothing lies between the bounds';

/** Reads a literal, or notes why it is none. */
type Reader = (comparison: Comparison, value: ValueNode) => number | undefined;

const SMALLEST_INTEGER = -(2 ** 31);
const LARGEST_INTEGER = 2 ** 31 - 1;

/** IEEE doubles. An infinity would vanish from the query's JSON and widen the filter, so it is refused. */
const readNumber: Reader = ({ findings, field }, value) => {
  const number = numberOf(value.text);
  if (number !== undefined && Number.isFinite(number)) return number;
  const advice = { expectedType: field.type, ...numberHint(value.text) };
  if (number === undefined)
    return findings.add('INVALID_VALUE', value, `"${echo(value.text)}" is not a number`, advice);
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
      return value === undefined ? undefined : { kind: 'equal', field: comparison.field, value };
    },
    resembles: refusePattern('use a range such as 3..4'),
    compares: (comparison, node, relation) => {
      const value = read(comparison, node);
      return value === undefined ? undefined : bounded(comparison, boundOf(relation, value));
    },
    inRange: (comparison, range) => inRange(comparison, range, read),
  };
}

function inRange(comparison: Comparison, range: RangeNode, read: Reader): CheckedNode | undefined {
  const low = range.low && read(comparison, range.low);
  const high = range.high && read(comparison, range.high);
  if ((range.low && low === undefined) || (range.high && high === undefined)) return undefined;
  if (low !== undefined && high !== undefined && low + leastGap(comparison, range) >= high) {
    if (low > high) return comparison.findings.add('EMPTY_RANGE', range, CROSSED, threeDots(range));
    if (range.aboveLow || range.belowHigh) return comparison.findings.add('EMPTY_RANGE', range, NOTHING_BETWEEN);
  }
  return bounded(comparison, { ...lowBound(low, range.aboveLow), ...highBound(high, range.belowHigh) });
}

/** `3...5` is read as `3..` and `.5`. */
function threeDots({ form, low, high }: RangeNode): { readonly hint?: string } {
  if (form !== 'dots' || high?.quoted !== false || !high.text.startsWith('.')) return {};
  return { hint: `three dots are two and a decimal: write ${echo(low?.text ?? '')}..${echo(high.text.slice(1))}` };
}

/** Between two whole numbers in a row that are both left out there is no third. */
function leastGap({ field }: Comparison, { aboveLow, belowHigh }: RangeNode): number {
  return aboveLow && belowHigh && field.type === 'integer' ? 1 : 0;
}

function boundOf(relation: Relation, value: number): Bounds {
  switch (relation) {
    case 'gt':
      return { gt: value };
    case 'gte':
      return { gte: value };
    case 'lt':
      return { lt: value };
    case 'lte':
      return { lte: value };
  }
}

function lowBound(low: number | undefined, isAbove: boolean): Bounds | undefined {
  if (low === undefined) return undefined;
  return isAbove ? { gt: low } : { gte: low };
}

function highBound(high: number | undefined, isBelow: boolean): Bounds | undefined {
  if (high === undefined) return undefined;
  return isBelow ? { lt: high } : { lte: high };
}

function bounded({ field }: Comparison, bounds: Bounds): CheckedNode {
  return { kind: 'range', field, bounds };
}

/** Any finite number. */
export const NUMBER: TypeRule = ruleFor(readNumber);

/** Whole numbers. */
export const INTEGER: TypeRule = ruleFor(readInteger);
