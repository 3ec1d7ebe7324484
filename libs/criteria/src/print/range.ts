import type { Bounds } from '../check/nodes.js';
import type { CriteriaField } from '../fields.js';

/**
 * One bound is printed as a comparison, two as `a..b`: as two comparisons they could be met by two different values
 * of one field.
 */
export function printRange(field: CriteriaField, bounds: Bounds): string {
  return field.type === 'date' ? printDates(field.name, bounds) : printNumbers(field.name, bounds);
}

function printNumbers(name: string, { gt, gte, lt, lte }: Bounds): string {
  if (gte !== undefined && lte !== undefined) return `${name}:${gte}..${lte}`;
  if (gt !== undefined) return `${name} > ${gt}`;
  if (gte !== undefined) return `${name} >= ${gte}`;
  return lt === undefined ? `${name} <= ${lte}` : `${name} < ${lt}`;
}

/** Periods end before a millisecond; `..` names the last one within, which stands for itself to its end. */
function printDates(name: string, { gte, lt }: Bounds): string {
  if (gte === undefined) return `${name} < ${timestamp(lt)}`;
  return lt === undefined ? `${name} >= ${timestamp(gte)}` : `${name}:${timestamp(gte)}..${timestamp(lt - 1)}`;
}

function timestamp(time = 0): string {
  return new Date(time).toISOString();
}
