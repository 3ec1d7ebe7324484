import type { Relation } from '../operators.js';
import type { RangeNode, ValueNode } from '../parse/syntax-tree.js';
import { CODE, isDigit, LOWER_CASE_BIT } from '../text/characters.js';
import type { Comparison, TypeRule } from './type-failures.js';
import type { Bounds, CheckedNode } from './typed-tree.js';

/** Reads a literal, or records a failure. */
type Reader = (comparison: Comparison, value: ValueNode) => number | undefined;

const SMALLEST_INTEGER = -(2 ** 31);
const LARGEST_INTEGER = 2 ** 31 - 1;
const EXPONENT = 0x65;

/** IEEE doubles. An infinity would vanish from the query's JSON and widen the filter, so it is refused. */
const readNumber: Reader = (comparison, value) => {
  const number = numberOf(value.text);
  if (number !== undefined && Number.isFinite(number)) return number;
  return comparison.fail(number === undefined ? 'number' : 'numberSize', value);
};

/** Whole numbers of 32 bits: OpenSearch rejects a larger one. */
const readInteger: Reader = (comparison, value) => {
  const number = readNumber(comparison, value);
  if (number === undefined) return undefined;
  if (!Number.isInteger(number)) return comparison.fail('integer', value);
  return number >= SMALLEST_INTEGER && number <= LARGEST_INTEGER ? number : comparison.fail('integerSize', value);
};

const BOUNDS: Readonly<Record<Relation, (value: number) => Bounds>> = {
  '>': (gt) => ({ gt }),
  '>=': (gte) => ({ gte }),
  '<': (lt) => ({ lt }),
  '<=': (lte) => ({ lte }),
};

function ruleFor(read: Reader): TypeRule {
  return {
    equals: (comparison, node) => {
      const value = read(comparison, node);
      return value === undefined ? undefined : { kind: 'equal', field: comparison.field, value };
    },
    matches: (comparison, value) => comparison.fail('pattern', value),
    compares: (comparison, node, relation) => {
      const value = read(comparison, node);
      return value === undefined
        ? undefined
        : { kind: 'range', field: comparison.field, bounds: BOUNDS[relation](value) };
    },
    inRange: (comparison, range) => inRange(comparison, range, read),
  };
}

function inRange(comparison: Comparison, range: RangeNode, read: Reader): CheckedNode | undefined {
  const low = range.low && read(comparison, range.low);
  const high = range.high && read(comparison, range.high);
  if ((range.low && low === undefined) || (range.high && high === undefined)) return undefined;
  if (low !== undefined && high !== undefined && isEmpty(comparison, range, low, high)) {
    return comparison.fail('emptyRange', range);
  }
  const lowest = low === undefined ? undefined : BOUNDS[range.aboveLow ? '>' : '>='](low);
  const highest = high === undefined ? undefined : BOUNDS[range.belowHigh ? '<' : '<='](high);
  return { kind: 'range', field: comparison.field, bounds: { ...lowest, ...highest } };
}

/** An interval that excludes two consecutive whole numbers is empty. */
function isEmpty({ field }: Comparison, { aboveLow, belowHigh }: RangeNode, low: number, high: number): boolean {
  const gap = aboveLow && belowHigh && field.type === 'integer' ? 1 : 0;
  return low > high || ((aboveLow || belowHigh) && low + gap >= high);
}

/**
 * Returns the number of a literal `-?digits[.digits][e±digits]` or `-?.digits`, or undefined if the text has another
 * form. Minus zero is zero. A literal too large for a double gives an infinity.
 */
export function numberOf(text: string): number | undefined {
  const start = text.charCodeAt(0) === CODE.minus ? 1 : 0;
  const integerEnd = afterDigits(text, start);
  const fraction =
    integerEnd < text.length && text.charCodeAt(integerEnd) === CODE.dot
      ? afterDigits(text, integerEnd + 1)
      : integerEnd;
  if (fraction === integerEnd + 1) return undefined;
  const end = integerEnd === start ? fraction : afterExponent(text, fraction);
  return fraction > start && end === text.length ? Number(text) + 0 : undefined;
}

function afterDigits(text: string, from: number): number {
  let at = from;
  while (at < text.length && isDigit(text.charCodeAt(at))) at++;
  return at;
}

/** Returns the end of an exponent, or its own start if there is none. */
function afterExponent(text: string, from: number): number {
  if (from === text.length || (text.charCodeAt(from) | LOWER_CASE_BIT) !== EXPONENT) return from;
  const sign = text.charCodeAt(from + 1);
  const digits = from + (sign === CODE.minus || sign === CODE.plus ? 2 : 1);
  const end = afterDigits(text, digits);
  return end === digits ? from : end;
}

/** Any finite number. */
export const NUMBER: TypeRule = ruleFor(readNumber);
/** Whole numbers. */
export const INTEGER: TypeRule = ruleFor(readInteger);
