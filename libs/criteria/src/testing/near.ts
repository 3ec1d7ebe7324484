import type { CheckedNode, CheckedPredicate } from '../check/typed-tree.js';
import type { CriteriaFields } from '../fields.js';
import type { GoldenDocument } from './golden.js';
import { type Choose, oneIn } from './random.js';

const DAY = 86_400_000;

/** Returns random documents whose values are within and beside the conditions of some trees. */
export function documentsNear(
  choose: Choose,
  trees: readonly CheckedNode[],
  fields: CriteriaFields,
  count: number,
): readonly GoldenDocument[] {
  const predicates = trees.flatMap(predicatesOf);
  const values = fields.list.map(({ name, multi }) => {
    const pool = predicates.flatMap((predicate) => (predicate.field.name === name ? valuesNear(predicate) : []));
    return { name, pool: [...new Set(pool)], most: multi ? 2 : 1 };
  });
  return Array.from({ length: count }, (_, index) => {
    const members = values.map(({ name, pool, most }) => {
      const has = pool.length > 0 && !oneIn(choose, 4);
      return [name, has ? Array.from({ length: 1 + choose(most) }, () => pool[choose(pool.length)]) : null];
    });
    return { ...Object.fromEntries(members), id: `near-${index}` };
  });
}

function predicatesOf(node: CheckedNode): readonly CheckedPredicate[] {
  switch (node.kind) {
    case 'everything':
      return [];
    case 'and':
    case 'or':
      return node.terms.flatMap(predicatesOf);
    case 'not':
      return predicatesOf(node.term);
    default:
      return [node];
  }
}

function valuesNear(predicate: CheckedPredicate): readonly unknown[] {
  switch (predicate.kind) {
    case 'equal':
      return [predicate.value, ...(predicate.field.type === 'boolean' ? [!predicate.value] : [])];
    case 'words':
      return [predicate.words, `x ${predicate.words}`];
    case 'pattern':
      return ['', 'zz'].map((rest) => predicate.pattern.replaceAll('*', rest));
    case 'range':
      return Object.values(predicate.bounds).flatMap((bound: number): readonly unknown[] =>
        predicate.field.type === 'date'
          ? [-DAY, -1, 0, DAY].map((step) => new Date(bound + step).toISOString())
          : [bound - 1, bound, bound + 1],
      );
    case 'exists':
      return predicate.field.type === 'keyword' ? ['x'] : [];
  }
}
