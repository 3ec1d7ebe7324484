/** How criteria hang together: a condition of one field, its opposite, or several joined. */
type Parts<Of extends string> =
  | { readonly kind: 'term'; readonly text: string }
  | { readonly kind: 'not'; readonly of: Criteria<Of> }
  | { readonly kind: 'and' | 'or'; readonly terms: readonly Criteria<Of>[] };

/**
 * A condition on assets of one kind, as `where` builds it. It never changes; `toString` says it in the criteria
 * language, and a search takes it as it is.
 */
export class Criteria<Of extends string> {
  /** Keeps the criteria of pools and of projects apart; only the compiler sees it. */
  declare protected readonly kindOfAsset: (kind: Of) => Of;
  /** @internal */
  readonly parts: Parts<Of>;

  /** @internal made by fields and by the functions of this file alone, which escape every value */
  constructor(parts: Parts<Of>) {
    this.parts = parts;
  }

  /** The text for the parameter `criteria`. */
  toString(): string {
    const { parts } = this;
    if (parts.kind === 'term') return parts.text;
    if (parts.kind === 'not') return `not ${asTerm(parts.of)}`;
    return parts.terms.map(asTerm).join(` ${parts.kind} `);
  }
}

/** Every asset. */
const EVERYTHING = '*';

/** All of them hold; of none, everything does. */
export function and<Of extends string>(...terms: readonly Criteria<Of>[]): Criteria<Of> {
  return joined('and', terms) ?? new Criteria({ kind: 'term', text: EVERYTHING });
}

/** At least one of them holds; of none, nothing does. */
export function or<Of extends string>(...terms: readonly Criteria<Of>[]): Criteria<Of> {
  return joined('or', terms) ?? not(new Criteria({ kind: 'term', text: EVERYTHING }));
}

/** The exact opposite: an asset without the field satisfies it too. */
export function not<Of extends string>(criteria: Criteria<Of>): Criteria<Of> {
  return criteria.parts.kind === 'not' ? criteria.parts.of : new Criteria({ kind: 'not', of: criteria });
}

/** Terms of the same kind are taken in, so that long chains do not nest. */
function joined<Of extends string>(kind: 'and' | 'or', terms: readonly Criteria<Of>[]): Criteria<Of> | undefined {
  const flat = terms.flatMap((term) => (term.parts.kind === kind ? term.parts.terms : [term]));
  return flat.length > 1 ? new Criteria({ kind, terms: flat }) : flat[0];
}

/** What is joined stands in parentheses within anything else, so that precedence is never needed. */
function asTerm<Of extends string>(criteria: Criteria<Of>): string {
  return 'terms' in criteria.parts ? `(${criteria})` : `${criteria}`;
}
