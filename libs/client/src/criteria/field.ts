import { POOL_FIELDS, PROJECT_FIELDS } from '../generated/asset-fields.js';
import { Criteria, not, or } from './criteria.js';
import { literal, printValue, printWordPattern, quote, readPattern, type Value } from './literals.js';

/** A range with one or two bounds; `gte` and `lte` are inclusive. */
export type Bounds<V> =
  | (Low<V> & { readonly lt?: never; readonly lte?: never })
  | (High<V> & { readonly gt?: never; readonly gte?: never })
  | (Low<V> & High<V>);
/** A list of values. Not any iterable, because a string is one. */
export type Values<V> = readonly V[] | ReadonlySet<V>;
type Low<V> = { readonly gt: V; readonly gte?: never } | { readonly gte: V; readonly gt?: never };
type High<V> = { readonly lt: V; readonly lte?: never } | { readonly lte: V; readonly lt?: never };

/** A field of an asset. A condition on a field with several values matches if any value matches. */
export class Field<Of extends string, V extends Value> {
  constructor(private readonly name: string) {}

  /** Equal, ignoring case and the accents of Latin letters; a date matches every time in its period. */
  eq(value: V): Criteria<Of> {
    return this.term(` = ${printValue(value)}`);
  }

  /** The negation of `eq`; matches assets without the field too. */
  ne(value: V): Criteria<Of> {
    return not(this.eq(value));
  }

  /** Equal to one of the values; an empty list matches nothing. */
  in(values: Values<V>): Criteria<Of> {
    // Untyped JavaScript may pass a string: each of its characters would become a value.
    if (typeof values === 'string') throw new TypeError('in and notIn take a list of values, not a string');
    const list = Array.from(values, printValue);
    return list.length === 0 ? or() : this.term(` in (${list.join(', ')})`);
  }

  /** The negation of `in`. */
  notIn(values: Values<V>): Criteria<Of> {
    return not(this.in(values));
  }

  /** Greater than the value; after the end of a date's period. */
  gt(value: V): Criteria<Of> {
    return this.term(` > ${printValue(value)}`);
  }

  /** At least the value; from the start of a date's period. */
  gte(value: V): Criteria<Of> {
    return this.term(` >= ${printValue(value)}`);
  }

  /** Less than the value; before the start of a date's period. */
  lt(value: V): Criteria<Of> {
    return this.term(` < ${printValue(value)}`);
  }

  /** At most the value; up to the end of a date's period. */
  lte(value: V): Criteria<Of> {
    return this.term(` <= ${printValue(value)}`);
  }

  /** From one value to another, inclusive. */
  between(low: V, high: V): Criteria<Of> {
    return this.term(`:[${printValue(low)} TO ${printValue(high)}]`);
  }

  /** Within the bounds. */
  range({ gt, gte, lt, lte }: Bounds<V>): Criteria<Of> {
    const [low, high] = [gte ?? gt, lte ?? lt];
    if (low === undefined && high === undefined) throw new RangeError('a range needs a bound');
    const [from, to] = [low, high].map((bound) => (bound === undefined ? '*' : printValue(bound)));
    return this.term(`:${gt === undefined ? '[' : '{'}${from} TO ${to}${lt === undefined ? ']' : '}'}`);
  }

  /** The whole value matches a pattern: `*` matches any characters, `?` exactly one. Escape literal text with `literal`. */
  like(pattern: string): Criteria<Of> {
    const { hasWildcard, text, printed } = readPattern(pattern);
    return this.term(hasWildcard ? ` like ${printed}` : ` = ${quote(text)}`);
  }

  /** The whole value starts with the text. */
  startsWith(text: string): Criteria<Of> {
    return this.like(`${literal(text)}*`);
  }

  /** The whole value ends with the text; at least three characters. */
  endsWith(text: string): Criteria<Of> {
    return this.like(`*${literal(text)}`);
  }

  /** The value contains the text; at least three characters. */
  contains(text: string): Criteria<Of> {
    return this.like(`*${literal(text)}*`);
  }

  /** The text contains these words, adjacent and in this order. */
  words(words: string): Criteria<Of> {
    return this.term(`:${quote(words)}`);
  }

  /** A word of the text matches a pattern of letters, digits, `_`, `*` and `?`. Without `*` and `?`, it is the same as `words`. */
  wordLike(pattern: string): Criteria<Of> {
    return this.term(`:${/[*?]/.test(pattern) ? printWordPattern(pattern) : quote(pattern)}`);
  }

  /** The field has a value. */
  exists(): Criteria<Of> {
    return this.term(' exists');
  }

  /** The field has no value. */
  missing(): Criteria<Of> {
    return not(this.exists());
  }

  private term(rest: string): Criteria<Of> {
    return new Criteria({ kind: 'term', text: this.name + rest });
  }
}

type Presence = 'exists' | 'missing';
type Equality = 'eq' | 'ne' | Presence;
type Membership = Equality | 'in' | 'notIn';
type Order = Membership | 'gt' | 'gte' | 'lt' | 'lte' | 'between' | 'range';
type Patterns = 'like' | 'startsWith' | 'endsWith' | 'contains';
type Words = 'words' | 'wordLike' | Presence;

/** The conditions of each type of field. */
interface FieldTypes<Of extends string> {
  readonly keyword: Pick<Field<Of, string>, Membership | Patterns>;
  readonly text: Pick<Field<Of, string>, Membership | Patterns | Words>;
  readonly words: Pick<Field<Of, string>, Words>;
  readonly address: Pick<Field<Of, string>, Membership | 'startsWith'>;
  readonly boolean: Pick<Field<Of, boolean>, Equality>;
  readonly number: Pick<Field<Of, number>, Order>;
  readonly integer: Pick<Field<Of, number>, Order>;
  readonly date: Pick<Field<Of, string | Date>, Order>;
}

/** The fields of one kind of asset with their conditions. */
export type Fields<Of extends string, Types extends Readonly<Record<string, keyof FieldTypes<Of>>>> = {
  readonly [Name in keyof Types]: FieldTypes<Of>[Types[Name]];
};

/** The fields of pools. */
export type PoolFields = Fields<'pools', typeof POOL_FIELDS>;
/** The fields of projects. */
export type ProjectFields = Fields<'projects', typeof PROJECT_FIELDS>;

const pools = fieldsOf<PoolFields>(POOL_FIELDS);
const projects = fieldsOf<ProjectFields>(PROJECT_FIELDS);

/**
 * Builds criteria. Values are escaped.
 *
 * @example
 * const criteria = where.pools(({ source, rating, ticker }) =>
 *   and(source.eq('TOUCAN'), rating.gte(2.5), not(ticker.in(['CHAR', 'NCT']))),
 * );
 */
export const where = {
  /** Criteria for `carbon.pools`. */
  pools: (build: (fields: PoolFields) => Criteria<'pools'>): Criteria<'pools'> => build(pools),
  /** Criteria for `carbon.projects`. */
  projects: (build: (fields: ProjectFields) => Criteria<'projects'>): Criteria<'projects'> => build(projects),
} as const;

/** At run time every field has every method. */
function fieldsOf<F>(types: Readonly<Record<keyof F & string, string>>): F {
  return Object.fromEntries(Object.keys(types).map((name) => [name, new Field(name)])) as F;
}
