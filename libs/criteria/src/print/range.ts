import type { Bounds } from '../check/nodes.js';
import type { CriteriaField } from '../fields.js';

/**
 * One bound is printed as a comparison, two as an interval: as two comparisons they could be met by two different
 * values of one field. A brace leaves its bound out.
 */
export function printRange(field: CriteriaField, { gt, gte, lt, lte }: Bounds): string {
  const spell = field.type === 'date' ? timestamp : String;
  const low = gte ?? gt;
  const high = lte ?? lt;
  if (low === undefined) return `${field.name} ${lte === undefined ? '<' : '<='} ${spell(high ?? 0)}`;
  if (high === undefined) return `${field.name} ${gte === undefined ? '>' : '>='} ${spell(low)}`;
  const opener = gte === undefined ? '{' : '[';
  const closer = lte === undefined ? '}' : ']';
  return `${field.name}:${opener}${spell(low)} TO ${spell(high)}${closer}`;
}

function timestamp(time: number): string {
  return new Date(time).toISOString();
}
