/** The languages of the contenders. */
export const DIALECTS = ['ours', 'liqe', 'lucene'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** One comparison, independent of a language. */
type Clause =
  | { readonly field: string; readonly is: string; readonly quoted?: true }
  | { readonly field: string; readonly atLeast: string };

interface Spelling {
  readonly and: string;
  readonly or: string;
  readonly atLeast: (field: string, value: string) => string;
}

const SPELLINGS: Readonly<Record<Dialect, Spelling>> = {
  ours: { and: ' and ', or: ' or ', atLeast: (field, value) => `${field}>=${value}` },
  liqe: { and: ' AND ', or: ' OR ', atLeast: (field, value) => `${field}:>=${value}` },
  lucene: { and: ' AND ', or: ' OR ', atLeast: (field, value) => `${field}:[${value} TO *]` },
};

/** So many different strings of each kind in turn, so that a parser cannot cache one. */
const VARIANTS = 64;
const PAIRS = 100;

/** Five typical comparisons, in `VARIANTS` variants. */
export function fiveClauses(dialect: Dialect): string[] {
  const { and, or } = SPELLINGS[dialect];
  const say = clauseIn(dialect);
  return variants((n) => {
    const country = [say({ field: 'country', is: 'Brazil' }), say({ field: 'country', is: `Peru${n}` })];
    return [
      say({ field: 'source', is: 'VERRA' }),
      say({ field: 'name', is: `Rimba Raya ${n}`, quoted: true }),
      say({ field: 'rating', atLeast: `3.${n}` }),
      `(${country.join(or)})`,
    ].join(and);
  });
}

/** Two hundred comparisons in a hundred pairs of brackets, below the length limit, in `VARIANTS` variants. */
export function twoHundredClauses(dialect: Dialect): string[] {
  return variants((n) => pairs(dialect, PAIRS, n));
}

/** Returns a text of our language that is as close to a length as whole pairs of clauses get. */
export function textOfLength(length: number): string {
  let text = pairs('ours', 1, 0);
  for (let count = 2; ; count += 1) {
    const longer = pairs('ours', count, 0);
    if (longer.length > length) return text;
    text = longer;
  }
}

function pairs(dialect: Dialect, count: number, n: number): string {
  const { and, or } = SPELLINGS[dialect];
  const say = clauseIn(dialect);
  const pair = (_: unknown, place: number) => {
    const first: Clause =
      place % 2 === 0 ? { field: 'source', is: `S${place}` } : { field: 'country', is: `New ${place}`, quoted: true };
    return `(${say(first)}${and}${say({ field: 'rating', atLeast: `${place % 5}.${n}` })})`;
  };
  return Array.from({ length: count }, pair).join(or);
}

function clauseIn(dialect: Dialect): (clause: Clause) => string {
  const { atLeast } = SPELLINGS[dialect];
  return (clause) => {
    if ('atLeast' in clause) return atLeast(clause.field, clause.atLeast);
    return `${clause.field}:${clause.quoted ? JSON.stringify(clause.is) : clause.is}`;
  };
}

function variants(make: (n: number) => string): string[] {
  return Array.from({ length: VARIANTS }, (_, n) => make(n));
}
