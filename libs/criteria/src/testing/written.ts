import type { CheckedNode } from '../check/typed-tree.js';

/** How tightly a text binds; `side` is adjacent terms, which may not be next to an `or`. */
export type Binding = 'or' | 'side' | 'and' | 'unary';

/**
 * A piece of criteria as text, and its meaning. The meaning does not come from parsing the text, so a parser that
 * misreads it is detected.
 */
export interface Written {
  readonly text: string;
  readonly meaning: CheckedNode;
  readonly binding: Binding;
  /** Smaller variants, to find the smallest failing one. */
  smaller(): readonly Written[];
}

/** Returns a piece that binds as tightly as a single term. */
export function complete(text: string, meaning: CheckedNode, smaller: () => readonly Written[] = () => []): Written {
  return { text, meaning, binding: 'unary', smaller };
}

/** Returns terms joined by one connector, any of which may be dropped. */
export function joined(
  kind: 'and' | 'or',
  binding: Binding,
  terms: readonly Written[],
  spell: (texts: readonly Written[]) => string,
): Written {
  const [only, ...others] = terms;
  if (only !== undefined && others.length === 0) return only;
  const holdsSide = binding === 'and' && terms.some((term) => term.binding === 'side');
  const replaced = (place: number) =>
    (terms[place]?.smaller() ?? []).map((less) => joined(kind, binding, terms.with(place, less), spell));
  return {
    text: spell(terms),
    meaning: { kind, terms: terms.map(({ meaning }) => meaning) },
    binding: holdsSide ? 'side' : binding,
    smaller: () => [
      ...terms,
      ...terms.map((_, place) => joined(kind, binding, terms.toSpliced(place, 1), spell)),
      ...terms.flatMap((_, place) => replaced(place)),
    ],
  };
}

/** Returns the complement of a piece. */
export function negated(term: Written, spell: (term: Written) => string): Written {
  return complete(spell(term), { kind: 'not', term: term.meaning }, () => [
    term,
    ...term.smaller().map((less) => negated(less, spell)),
  ]);
}

/**
 * Returns values with the text around them that makes a condition, such as a name and an operator, or its complement.
 */
export function framed(values: Written, spell: (text: string) => string, isNegated = false): Written {
  const meaning: CheckedNode = isNegated ? { kind: 'not', term: values.meaning } : values.meaning;
  return complete(spell(values.text), meaning, () => values.smaller().map((less) => framed(less, spell, isNegated)));
}

/** Returns the smallest failing piece: repeatedly takes the first smaller one that fails, until there is none. */
export async function smallest(failing: Written, fails: (written: Written) => Promise<boolean>): Promise<Written> {
  for (const less of failing.smaller()) {
    if (await fails(less)) return smallest(less, fails);
  }
  return failing;
}
