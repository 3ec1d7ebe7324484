import { checkCriteria } from './check/check.js';
import type { CheckedNode } from './check/typed-tree.js';
import { compileCriteria, type QueryClause } from './compile/compile-criteria.js';
import { printCriteria } from './compile/print-criteria.js';
import type { CriteriaFields } from './fields.js';
import { parseCriteria } from './parse/parse.js';

/** A text that a clause requires a field to have; `*` and `?` are wildcards if it is a pattern. */
export interface ClauseValue {
  readonly field: string;
  readonly value: string;
}

/** One of the conditions that criteria join with `and`. */
export interface CriteriaClause {
  /** The clause as criteria of its own, in the canonical spelling. */
  readonly text: string;
  readonly query: QueryClause;
  /** The texts that it compares whole values with, each once; none of what it negates. */
  readonly values: readonly ClauseValue[];
}

/** Returns the clauses that an asset must match, each of them; none for criteria that match everything or are invalid. */
export function clausesOf(text: string, fields: CriteriaFields): readonly CriteriaClause[] {
  const parsed = parseCriteria(text);
  const checked = parsed.ok ? checkCriteria(parsed.value, fields) : parsed;
  if (!checked.ok) return [];
  const nodes = checked.value.kind === 'and' ? checked.value.terms : [checked.value];
  return nodes.filter(({ kind }) => kind !== 'everything').map(clause);
}

function clause(node: CheckedNode): CriteriaClause {
  const values = new Map(valuesOf(node).map((one) => [JSON.stringify([one.field, one.value]), one]));
  return { text: printCriteria(node), query: compileCriteria(node), values: [...values.values()] };
}

function valuesOf(node: CheckedNode): readonly ClauseValue[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.terms.flatMap(valuesOf);
    case 'equal':
      return typeof node.value === 'string' ? [{ field: node.field.name, value: node.value }] : [];
    case 'pattern':
      return node.on === 'whole' ? [{ field: node.field.name, value: node.pattern.replace(/\\(.)/gsu, '$1') }] : [];
    default:
      return [];
  }
}
