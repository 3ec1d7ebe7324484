import type { Bounds, CheckedNode } from '../check/typed-tree.js';
import type { CriteriaField } from '../fields.js';
import { type Choose, oneIn, oneOf } from './random.js';
import { type Relation, spellLiteral, spellRelation, spellWord } from './spellings.js';
import { CRITERIA_ORDERED, type Ordered } from './values.js';
import { complete, negated, type Written } from './written.js';

/** A field whose values have an order. */
export type OrderedField = CriteriaField & { readonly type: keyof typeof CRITERIA_ORDERED };

/** Returns whether the field's values have an order. */
export function isOrdered(field: CriteriaField): field is OrderedField {
  return field.type in CRITERIA_ORDERED;
}

interface Range {
  readonly low?: Ordered;
  readonly high?: Ordered;
  /** Whether the bound itself is excluded. */
  readonly above?: boolean;
  readonly below?: boolean;
}

/** Writes a comparison or `between`. */
export function writeOrder(choose: Choose, field: OrderedField, name: string): Written {
  if (oneIn(choose, 3)) return writeBetween(choose, field, name);
  const value = drawn(choose, field);
  const relation = oneOf<Relation>(choose, ['gt', 'gte', 'lt', 'lte']);
  const text = name + spellRelation(choose, relation) + spell(choose, value);
  const side = relation.startsWith('gt') ? 'low' : 'high';
  return complete(text, meaningOf(field, { [side]: value, above: relation === 'gt', below: relation === 'lt' }));
}

function writeBetween(choose: Choose, field: OrderedField, name: string): Written {
  const [low, high] = drawnBounds(choose, field);
  const and = oneOf(choose, [spellWord(choose, 'and'), '&&']);
  const ends = `${spellWord(choose, 'between').trim()} ${spell(choose, low)}${and}${spell(choose, high)}`;
  const between = complete(`${name} ${ends}`, meaningOf(field, { low, high }));
  return oneIn(choose, 4) ? negated(between, () => `${name} not ${ends}`) : between;
}

/** Writes the operand of an equality that means a range: a single literal, `a..b`, or an interval in brackets. */
export function writeStretch(choose: Choose, field: OrderedField): Written {
  switch (choose(4)) {
    case 0:
      return writeDots(choose, field);
    case 1:
      return writeInterval(choose, field);
    default: {
      const value = drawn(choose, field);
      return complete(spell(choose, value), equalTo(field, value));
    }
  }
}

function writeDots(choose: Choose, field: OrderedField): Written {
  const [low, high] = drawnBounds(choose, field);
  const [from, to] = [spell(choose, low), spell(choose, high)];
  switch (choose(4)) {
    case 0:
      return complete(`${from}..`, meaningOf(field, { low }));
    case 1:
      return complete(`..${to}`, meaningOf(field, { high }));
    default:
      return complete(`${from}..${to}`, meaningOf(field, { low, high }));
  }
}

function writeInterval(choose: Choose, field: OrderedField): Written {
  const [low, high] = drawnBounds(choose, field);
  const isStretch = low.to < high.from;
  const above = isStretch && oneIn(choose, 2);
  const below = isStretch && !(above && areNeighbours(field, low, high)) && oneIn(choose, 2);
  const openEnd = choose(4);
  const from = openEnd === 0 ? '*' : spell(choose, low);
  const to = openEnd === 1 ? '*' : spell(choose, high);
  const between = oneOf(choose, [spellWord(choose, 'TO'), ' TO ', '..']);
  const text = `${above ? '{' : '['}${from}${between}${to}${below ? '}' : ']'}`;
  return complete(
    text,
    meaningOf(field, { above, below, ...(openEnd !== 0 && { low }), ...(openEnd !== 1 && { high }) }),
  );
}

/** Consecutive whole numbers: an interval that excludes both is empty, and is rejected. */
function areNeighbours(field: OrderedField, low: Ordered, high: Ordered): boolean {
  return field.type === 'integer' && high.from - low.from <= 1;
}

function drawn(choose: Choose, field: OrderedField): Ordered {
  const pool = CRITERIA_ORDERED[field.type];
  return pool[choose(pool.length)] ?? pool[0];
}

/** Returns two literals, the lower one first, whose range is not empty. */
function drawnBounds(choose: Choose, field: OrderedField): readonly [Ordered, Ordered] {
  const [one, other] = [drawn(choose, field), drawn(choose, field)];
  return one.from <= other.from ? [one, other] : [other, one];
}

function spell(choose: Choose, { texts }: Ordered): string {
  return spellLiteral(choose, oneOf(choose, texts));
}

function equalTo(field: OrderedField, value: Ordered): CheckedNode {
  if (field.type === 'date') return meaningOf(field, { low: value, high: value });
  return { kind: 'equal', field, value: value.from };
}

/** A period is excluded or included as a whole. */
function meaningOf(field: OrderedField, range: Range): CheckedNode {
  return { kind: 'range', field, bounds: field.type === 'date' ? dates(range) : numbers(range) };
}

function numbers({ low, high, above, below }: Range): Bounds {
  return {
    ...(low && (above ? { gt: low.from } : { gte: low.from })),
    ...(high && (below ? { lt: high.from } : { lte: high.from })),
  };
}

function dates({ low, high, above, below }: Range): Bounds {
  return { ...(low && { gte: above ? low.to : low.from }), ...(high && { lt: below ? high.from : high.to }) };
}
