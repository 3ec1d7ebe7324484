import { Criteria, not, or } from './criteria.js';
import { literal, printValue, printWordPattern, quoted, readPattern, type Value } from './literals.js';

/** A stretch between two bounds, or on one side of one; `gte` and `lte` are in it themselves. */
export type Bounds<V> =
  | (Low<V> & { readonly lt?: never; readonly lte?: never })
  | (High<V> & { readonly gt?: never; readonly gte?: never })
  | (Low<V> & High<V>);
/** A list of values. Not any iterable: a text is one, of its characters. */
export type Values<V> = readonly V[] | ReadonlySet<V>;
type Low<V> = { readonly gt: V; readonly gte?: never } | { readonly gte: V; readonly gt?: never };
type High<V> = { readonly lt: V; readonly lte?: never } | { readonly lte: V; readonly lt?: never };

/**
 * A field that criteria may name. Which of these conditions it takes, and of which values, depends on its type. On a
 * field with several values a condition holds when some value meets it.
 */
export class Field<Of extends string, V extends Value> {
  constructor(private readonly name: string) {}

  /** The value is this one. Letter case and the accents of Latin letters do not matter; a date is the whole period. */
  eq(value: V): Criteria<Of> {
    return this.term(` = ${printValue(value)}`);
  }

  /** The exact opposite of `eq`: also assets without the field. */
  ne(value: V): Criteria<Of> {
    return not(this.eq(value));
  }

  /** The value is one of these; of none, nothing matches. */
  in(values: Values<V>): Criteria<Of> {
    // A text is a list of its characters where no compiler looks.
    if (typeof values === 'string') throw new TypeError('in and notIn take a list of values, not one text');
    const list = Array.from(values, printValue);
    return list.length === 0 ? or() : this.term(` in (${list.join(', ')})`);
  }

  /** The exact opposite of `in`. */
  notIn(values: Values<V>): Criteria<Of> {
    return not(this.in(values));
  }

  /** Above the value; a date: after the end of the period. */
  gt(value: V): Criteria<Of> {
    return this.term(` > ${printValue(value)}`);
  }

  /** The value or above; a date: from the beginning of the period on. */
  gte(value: V): Criteria<Of> {
    return this.term(` >= ${printValue(value)}`);
  }

  /** Below the value; a date: before the beginning of the period. */
  lt(value: V): Criteria<Of> {
    return this.term(` < ${printValue(value)}`);
  }

  /** The value or below; a date: up to the end of the period. */
  lte(value: V): Criteria<Of> {
    return this.term(` <= ${printValue(value)}`);
  }

  /** From one value to another, both in it. On a field with several values it is one of them that lies there. */
  between(low: V, high: V): Criteria<Of> {
    return this.term(`:[${printValue(low)} TO ${printValue(high)}]`);
  }

  /** Within these bounds. On a field with several values it is one of them that lies there. */
  range({ gt, gte, lt, lte }: Bounds<V>): Criteria<Of> {
    const [low, high] = [gte ?? gt, lte ?? lt];
    if (low === undefined && high === undefined) throw new RangeError('a range needs a bound');
    const [from, to] = [low, high].map((bound) => (bound === undefined ? '*' : printValue(bound)));
    return this.term(`:${gt === undefined ? '[' : '{'}${from} TO ${to}${lt === undefined ? ']' : '}'}`);
  }

  /**
   * The whole value has this form: `*` stands for any characters, `?` for one. Text that is meant as it stands goes
   * through `literal` first.
   */
  like(pattern: string): Criteria<Of> {
    const { hasWildcard, text, printed } = readPattern(pattern);
    return this.term(hasWildcard ? ` like ${printed}` : ` = ${quoted(text)}`);
  }

  /** The whole value begins so. */
  startsWith(text: string): Criteria<Of> {
    return this.like(`${literal(text)}*`);
  }

  /** The whole value ends so; at least three characters. */
  endsWith(text: string): Criteria<Of> {
    return this.like(`*${literal(text)}`);
  }

  /** This stands somewhere in the whole value; at least three characters. */
  contains(text: string): Criteria<Of> {
    return this.like(`*${literal(text)}*`);
  }

  /** These words stand in the text, next to each other and in this order. */
  words(words: string): Criteria<Of> {
    return this.term(`:${quoted(words)}`);
  }

  /** Some word of the text has this form: letters, digits, `_`, and the wildcards `*` and `?`. */
  wordLike(pattern: string): Criteria<Of> {
    return this.term(`:${/[*?]/.test(pattern) ? printWordPattern(pattern) : quoted(pattern)}`);
  }

  /** It has a value. */
  exists(): Criteria<Of> {
    return this.term(' exists');
  }

  /** It has none. */
  missing(): Criteria<Of> {
    return not(this.exists());
  }

  private term(rest: string): Criteria<Of> {
    return new Criteria({ kind: 'term', text: this.name + rest });
  }
}
