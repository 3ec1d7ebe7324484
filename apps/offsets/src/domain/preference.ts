/** What a preference compares. An asset without a rating comes last, in either direction. */
interface Preferable {
  readonly asset: string;
  readonly priceMicros: bigint;
  readonly rating?: number | undefined;
}

type Compare = (a: Preferable, b: Preferable) => number;

interface Term {
  readonly orderBy: string;
  readonly compare: Compare;
}

/** The terms of preferences, by word. Ids compare by their bytes, as in the collation of their column. */
const TERMS: ReadonlyMap<string, Term> = new Map([
  ['price', { orderBy: 'price_micros', compare: (a, b) => order(a.priceMicros, b.priceMicros) }],
  ['-price', { orderBy: 'price_micros DESC', compare: (a, b) => order(b.priceMicros, a.priceMicros) }],
  ['rating', { orderBy: 'rating NULLS LAST', compare: (a, b) => orderOfRated(a.rating, b.rating, 1) }],
  ['-rating', { orderBy: 'rating DESC NULLS LAST', compare: (a, b) => orderOfRated(a.rating, b.rating, -1) }],
]);
const BY_ID: Term = { orderBy: 'asset_id', compare: (a, b) => order(a.asset, b.asset) };

/** The words of a preference. */
export const PREFERENCE_WORDS: readonly string[] = [...TERMS.keys()];

/** Cheapest first, then highest rating, then id: the order that the index `supply_available` has. */
export const DEFAULT_PREFERENCE = 'price,-rating';

/** The order in which credits are taken, the same in PostgreSQL and in this process. */
export class Preference {
  /** For ORDER BY, over the columns of `supply`. */
  readonly orderBy: string;
  private readonly terms: readonly Term[];

  private constructor(terms: readonly Term[]) {
    this.terms = [...terms, BY_ID];
    this.orderBy = this.terms.map(({ orderBy }) => orderBy).join(', ');
  }

  /**
   * Parses words of {@link PREFERENCE_WORDS}, separated by commas: the first decides, `-` means highest first, ties go by id.
   * Returns undefined when a word is unknown, or price or rating is named twice.
   */
  static read(text: string): Preference | undefined {
    const words = text.split(',').map((word) => word.trim());
    const terms = words.flatMap((word) => TERMS.get(word) ?? []);
    const subjects = new Set(words.map((word) => word.replace('-', '')));
    return terms.length === words.length && subjects.size === words.length ? new Preference(terms) : undefined;
  }

  /** For sorting. */
  readonly compare: Compare = (a, b) => {
    for (const term of this.terms) {
      const result = term.compare(a, b);
      if (result !== 0) return result;
    }
    return 0;
  };
}

function order<T extends bigint | number | string>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function orderOfRated(a: number | undefined, b: number | undefined, direction: 1 | -1): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return order(a, b) * direction;
}
