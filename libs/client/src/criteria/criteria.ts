/** A condition of one field, a negation, or a conjunction or disjunction. */
type Parts<Of extends string> =
  | { readonly kind: 'term'; readonly text: string }
  | { readonly kind: 'not'; readonly of: Criteria<Of> }
  | { readonly kind: 'and' | 'or'; readonly terms: readonly Criteria<Of>[] };

/** A condition on assets of one kind, built by `where`. Immutable; `toString` returns its text in the criteria language. */
export class Criteria<Of extends string> {
  /** Distinguishes the criteria of pools and projects for the compiler. */
  declare protected readonly kindOfAsset: (kind: Of) => Of;
  /** @internal */
  readonly parts: Parts<Of>;

  /** @internal called only by fields and this file, which escape every value */
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

/** Matches if all terms match; without terms, everything. */
export function and<Of extends string>(...terms: readonly Criteria<Of>[]): Criteria<Of> {
  return joined('and', terms) ?? new Criteria({ kind: 'term', text: EVERYTHING });
}

/** Matches if at least one term matches; without terms, nothing. */
export function or<Of extends string>(...terms: readonly Criteria<Of>[]): Criteria<Of> {
  return joined('or', terms) ?? not(new Criteria({ kind: 'term', text: EVERYTHING }));
}

/** Matches exactly what the criteria do not match, including assets without the field. */
export function not<Of extends string>(criteria: Criteria<Of>): Criteria<Of> {
  return criteria.parts.kind === 'not' ? criteria.parts.of : new Criteria({ kind: 'not', of: criteria });
}

/** Flattens terms of the same kind, so that long chains do not nest. */
function joined<Of extends string>(kind: 'and' | 'or', terms: readonly Criteria<Of>[]): Criteria<Of> | undefined {
  const flat = terms.flatMap((term) => (term.parts.kind === kind ? term.parts.terms : [term]));
  return flat.length > 1 ? new Criteria({ kind, terms: flat }) : flat[0];
}

/** Puts `and` and `or` in parentheses, so that the text does not depend on their precedence. */
function asTerm<Of extends string>(criteria: Criteria<Of>): string {
  return 'terms' in criteria.parts ? `(${criteria})` : `${criteria}`;
}
