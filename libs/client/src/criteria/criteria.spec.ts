import { ASSET_FIELDS, fieldsOf } from '@carbon/contracts';
import {
  type CheckedNode,
  checkCriteria,
  compile,
  criteriaFields,
  DEFAULT_LIMITS,
  parseCriteria,
} from '@carbon/criteria';
import fc from 'fast-check';
import { and, type Criteria, not, or } from './criteria.js';
import { type ProjectFields, where } from './field.js';
import { literal } from './literals.js';

type Build = (fields: ProjectFields) => Criteria<'projects'>;
/** The tree of the language, with field names instead of fields. */
type Tree = { readonly kind: string; readonly [more: string]: unknown };

const LARGER = { length: 1_000_000, depth: 200, clauses: 10_000, patterns: 10_000, valueLength: 10_000 };
const LIMITS = { ...DEFAULT_LIMITS, ...LARGER };
const FIELDS = criteriaFields(fieldsOf('PROJECT').map((name) => ({ multi: false, ...ASSET_FIELDS[name], name })));

/** Returns the tree of criteria that the service must accept. */
function treeOf(criteria: Criteria<'projects'>): Tree {
  const text = String(criteria);
  const parsed = parseCriteria(text, LIMITS);
  const checked = parsed.ok ? checkCriteria(parsed.value, FIELDS, LIMITS) : parsed;
  if (!checked.ok) throw new Error(`${text}: ${JSON.stringify(compile(text, FIELDS, LIMITS))}`);
  return namedTree(checked.value);
}

function namedTree(node: CheckedNode): Tree {
  if ('terms' in node) return { kind: node.kind, terms: node.terms.map(namedTree) };
  if ('term' in node) return { kind: 'not', term: namedTree(node.term) };
  return 'field' in node ? { ...node, field: node.field.name } : node;
}

const read = (build: Build) => treeOf(where.projects(build));
const equal = (field: string, value: unknown): Tree => ({ kind: 'equal', field, value });
const range = (field: string, bounds: object): Tree => ({ kind: 'range', field, bounds });
/** The complement; two cancel out. */
const negated = (term: Tree): Tree => ('term' in term ? (term.term as Tree) : { kind: 'not', term });

/** Joins terms as the language does. */
function joined(kind: 'and' | 'or', terms: readonly Tree[]): Tree {
  const flat = terms.flatMap((term) => (term.kind === kind ? (term.terms as readonly Tree[]) : [term]));
  const none: Tree = kind === 'and' ? { kind: 'everything' } : { kind: 'not', term: { kind: 'everything' } };
  return flat.length > 1 ? { kind, terms: flat } : (flat[0] ?? none);
}

const SIGNS = [...'"\'\\*?():%\n\u0000“a\u00e9', '..', ' or ', ' and ', 'not ', 'null'];
const signs = fc.array(fc.constantFrom(...SIGNS), { maxLength: 12 }).map((pieces) => pieces.join(''));
/** Any text, often with the language's own special characters. */
const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), signs).map((text) => text.toWellFormed());
/** A text in the form in which the index stores it. */
const held = (text: string) => text.normalize('NFC');

/** A condition of the client, and the criteria that it sends. */
const CONDITIONS: readonly [Build, string][] = [
  [({ ticker }) => ticker.eq('BCT'), 'ticker = "BCT"'],
  [({ ticker }) => ticker.ne('BCT'), 'not ticker = "BCT"'],
  [({ sdgs }) => sdgs.in([13]), 'sdgs in (13)'],
  [({ active }) => active.eq(true), 'active = true'],
  [({ active }) => active.ne(true), 'not active = true'],
  [({ rating }) => rating.gt(2.5), 'rating > 2.5'],
  [({ rating }) => rating.gte(-1), 'rating >= -1'],
  [({ rating }) => rating.lt(1e21), 'rating < 1e+21'],
  [({ rating }) => rating.lte(0), 'rating <= 0'],
  [({ vintages }) => vintages.between(2012, 2013), 'vintages:[2012 TO 2013]'],
  [({ price }) => price.range({ gt: 1, lt: 2 }), 'price:{1 TO 2}'],
  [({ price }) => price.range({ gte: 1, lt: 2 }), 'price:[1 TO 2}'],
  [({ price }) => price.range({ gt: 1 }), 'price:{1 TO *]'],
  [({ price }) => price.range({ lte: 1 }), 'price:[* TO 1]'],
  [({ listedAt }) => listedAt.eq('2020-05'), 'listedAt = "2020-05"'],
  [({ listedAt }) => listedAt.gte(new Date(0)), 'listedAt >= 1970-01-01T00:00:00.000Z'],
  [({ listedAt }) => listedAt.between('2020', '2021'), 'listedAt:["2020" TO "2021"]'],
  [({ name }) => name.like('*carbon t?nne'), 'name like "*carbon t?nne"'],
  [({ name }) => name.like('50%'), 'name = "50%"'],
  [({ name }) => name.like('a\\*b*'), 'name like "a\\*b*"'],
  [({ name }) => name.like('C:\\data*'), 'name like "C:\\\\data*"'],
  [({ source }) => source.startsWith('T*'), 'source like "T\\**"'],
  [({ name }) => name.startsWith('50%'), 'name like "50%*"'],
  [({ name }) => name.endsWith('onne'), 'name like "*onne"'],
  [({ name }) => name.contains('carbon "t'), 'name like "*carbon \\"t*"'],
  [({ description }) => description.words('sao paulo'), 'description:"sao paulo"'],
  [({ name }) => name.words('*premium*'), 'name:"\\*premium\\*"'],
  [({ description }) => description.wordLike('mangrov*'), 'description:mangrov*'],
  [({ name }) => name.wordLike('or'), 'name:"or"'],
  [({ address }) => address.eq('0xAb'), 'address = "0xAb"'],
  [({ address }) => address.startsWith('0x2f'), 'address like "0x2f*"'],
  [({ registry }) => registry.exists(), 'registry exists'],
  [({ registry }) => registry.missing(), 'not registry exists'],
];

describe('a condition', () => {
  it('is accepted by the service', () => {
    const written = CONDITIONS.map(([build]) => String(where.projects(build)));
    expect(written).toEqual(CONDITIONS.map(([, text]) => text));
    for (const [build] of CONDITIONS) read(build);
  });

  it('rejects a missing or invalid value', () => {
    const missing = undefined as unknown as string;
    expect(() => where.pools(({ ticker }) => ticker.eq(missing))).toThrow(TypeError);
    expect(() => where.pools(({ ticker }) => ticker.in([missing]))).toThrow(TypeError);
    expect(() => where.pools(({ price }) => price.range({} as { gt: number }))).toThrow(RangeError);
    expect(() => where.pools(({ listedAt }) => listedAt.eq(new Date(Number.NaN)))).toThrow(RangeError);
    for (const none of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => where.pools(({ rating }) => rating.eq(none))).toThrow(RangeError);
    }
    for (const form of ['a-b*', '*', '??', 'a b*']) {
      expect(() => where.pools(({ name }) => name.wordLike(form))).toThrow(RangeError);
    }
    expect(String(where.pools(({ name }) => name.wordLike('')))).toBe('name:""');
  });

  it('accepts a list of values, but not a text as a list of its characters', () => {
    const misuses = [
      // @ts-expect-error a single text is not a list
      () => where.pools(({ ticker }) => ticker.in('BCT')),
      // @ts-expect-error nor here
      () => where.pools(({ name }) => name.notIn('BCT')),
    ];
    for (const misuse of misuses) expect(misuse).toThrow(TypeError);
    const tickers: ReadonlySet<string> = new Set(['BCT', 'NCT']);
    expect(String(where.pools(({ ticker }) => ticker.in(tickers)))).toBe('ticker in ("BCT", "NCT")');
  });

  it('does not compile for a field without it, or for the other kind of asset', () => {
    const misuses = [
      // @ts-expect-error a keyword has no order
      () => where.pools(({ ticker }) => ticker.gt('B')),
      // @ts-expect-error a text is not a number
      () => where.pools(({ rating }) => rating.eq('high')),
      // @ts-expect-error only projects have a country
      () => where.pools(({ country }) => country.eq('Brazil')),
      // @ts-expect-error a description is found by its words
      () => where.pools(({ description }) => description.eq('x')),
      // @ts-expect-error of another kind of asset
      () => where.pools(() => where.projects(({ name }) => name.exists())),
    ];
    expect(misuses).toHaveLength(5);
  });
});

/** A condition with its meaning, joined and negated in any way. */
interface Meant {
  readonly criteria: Criteria<'projects'>;
  readonly tree: Tree;
}

const { meant } = fc.letrec<{ meant: Meant; list: Meant[] }>((tie) => ({
  list: fc.array(tie('meant'), { maxLength: 3 }),
  meant: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...CONDITIONS).map(([build]) => ({ criteria: where.projects(build), tree: read(build) })),
    tie('meant').map(({ criteria, tree }) => ({ criteria: not(criteria), tree: negated(tree) })),
    ...(['and', 'or'] as const).map((kind) =>
      tie('list').map((list) => {
        const trees = list.map(({ tree }) => tree);
        const criteria = (kind === 'and' ? and : or)(...list.map((each) => each.criteria));
        return { criteria, tree: joined(kind, trees) };
      }),
    ),
  ),
}));

describe('and, or and not', () => {
  it('keep their meaning at any depth', () => {
    fc.assert(
      fc.property(meant, ({ criteria, tree }) => expect(treeOf(criteria)).toEqual(tree)),
      { numRuns: 400 },
    );
  });

  it('flatten chains, because depth is limited', () => {
    const ticker = (value: string) => where.pools((pool) => pool.ticker.eq(value));
    const [a, b, c] = [ticker('a'), ticker('b'), ticker('c')];
    expect(`${not(not(a))}`).toBe('ticker = "a"');
    expect(`${and(and(a, b), and(c))}`).toBe('ticker = "a" and ticker = "b" and ticker = "c"');
    expect(`${or(or(a, b), and(b, c))}`).toBe('ticker = "a" or ticker = "b" or (ticker = "b" and ticker = "c")');
  });

  it('match everything or nothing without terms', () => {
    expect([`${and()}`, `${or()}`]).toEqual(['*', 'not *']);
  });
});

describe('criteria', () => {
  it('keep any text as a value', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(read(({ ticker }) => ticker.eq(text))).toEqual(equal('ticker', held(text)));
        expect(read(({ name }) => name.eq(text))).toEqual(equal('name', held(text)));
        expect(read(({ country }) => country.ne(text))).toEqual(negated(equal('country', held(text))));
        const criteria = `${where.pools(({ ticker }) => or(ticker.eq(text), ticker.startsWith(text)))}`;
        expect(new URLSearchParams(`${new URLSearchParams({ criteria })}`).get('criteria')).toBe(criteria);
      }),
      { numRuns: 400 },
    );
  });

  it('keep any number and time', () => {
    const [min, max] = [new Date('0001-01-01T00:00:00Z'), new Date('9999-12-31T23:59:59.998Z')];
    const times = fc.date({ min, max, noInvalidDate: true });
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), times, (number, time) => {
        expect(read(({ rating }) => rating.eq(number))).toEqual(equal('rating', number + 0));
        expect(read(({ price }) => price.gt(number))).toEqual(range('price', { gt: number + 0 }));
        const moment = { gte: time.getTime(), lt: time.getTime() + 1 };
        expect(read(({ listedAt }) => listedAt.eq(time))).toEqual(range('listedAt', moment));
      }),
    );
  });

  it('keep any list of texts; an empty list matches nothing, or everything with notIn', () => {
    const any = (texts: readonly string[]) =>
      joined(
        'or',
        texts.map((text) => equal('source', held(text))),
      );
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 5 }), (texts) => {
        expect(read(({ source }) => source.in(texts))).toEqual(any(texts));
        expect(read(({ source }) => source.notIn(new Set(texts)))).toEqual(negated(any([...new Set(texts)])));
      }),
    );
  });

  it('keep any text in a pattern, without wildcards', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const plain = literal(held(text).replaceAll(/[\u2047-\u2049\u204e\uff0a\uff1f\uff3c]/g, ''));
        for (const pattern of [`ab*${plain}`, `?bcd${plain}`]) {
          const form = { kind: 'pattern', field: 'name', on: 'whole', pattern };
          expect(read(({ name }) => name.like(pattern))).toEqual(form);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('keep a lone surrogate, which the service rejects', () => {
    const build: Build = ({ ticker }) => ticker.eq('a\ud800b');
    expect(String(where.projects(build))).toBe('ticker = "a\\ud800b"');
    expect(() => read(build)).toThrow('half a surrogate pair');
  });
});
