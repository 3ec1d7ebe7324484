import fc from 'fast-check';
import { and, type Criteria, not, or } from './criteria.js';
import { equal, exists, joined, negated, read, type Tree, treeOf } from './test-trees.js';
import { type ProjectFields, where } from './where.js';

const pattern = (field: string, on: 'whole' | 'word', form: string): Tree => ({
  kind: 'pattern',
  field,
  on,
  pattern: form,
});
const range = (field: string, bounds: object): Tree => ({ kind: 'range', field, bounds });

/** What is written, what is sent, and what that means. */
const CONDITIONS: readonly [string, (fields: ProjectFields) => Criteria<'projects'>, string, Tree][] = [
  ['a value', ({ ticker }) => ticker.eq('BCT'), 'ticker = "BCT"', equal('ticker', 'BCT')],
  ['no such value', ({ ticker }) => ticker.ne('BCT'), 'not ticker = "BCT"', negated(equal('ticker', 'BCT'))],
  ['a list of one', ({ sdgs }) => sdgs.in([13]), 'sdgs in (13)', equal('sdgs', 13)],
  ['a truth', ({ active }) => active.eq(true), 'active = true', equal('active', true)],
  ['an untruth', ({ active }) => active.ne(true), 'not active = true', negated(equal('active', true))],
  ['more', ({ rating }) => rating.gt(2.5), 'rating > 2.5', range('rating', { gt: 2.5 })],
  ['as much or more', ({ rating }) => rating.gte(-1), 'rating >= -1', range('rating', { gte: -1 })],
  ['less', ({ rating }) => rating.lt(1e21), 'rating < 1e+21', range('rating', { lt: 1e21 })],
  ['as much or less', ({ rating }) => rating.lte(0), 'rating <= 0', range('rating', { lte: 0 })],
  [
    'a stretch',
    ({ vintages }) => vintages.between(2012, 2013),
    'vintages:[2012 TO 2013]',
    range('vintages', { gte: 2012, lte: 2013 }),
  ],
  [
    'a stretch without its ends',
    ({ price }) => price.range({ gt: 1, lt: 2 }),
    'price:{1 TO 2}',
    range('price', { gt: 1, lt: 2 }),
  ],
  [
    'a stretch with one end',
    ({ price }) => price.range({ gte: 1, lt: 2 }),
    'price:[1 TO 2}',
    range('price', { gte: 1, lt: 2 }),
  ],
  ['a stretch open above', ({ price }) => price.range({ gt: 1 }), 'price:{1 TO *]', range('price', { gt: 1 })],
  ['a stretch open below', ({ price }) => price.range({ lte: 1 }), 'price:[* TO 1]', range('price', { lte: 1 })],
  [
    'a month',
    ({ listedAt }) => listedAt.eq('2020-05'),
    'listedAt = "2020-05"',
    range('listedAt', { gte: Date.UTC(2020, 4), lt: Date.UTC(2020, 5) }),
  ],
  [
    'a time and later',
    ({ listedAt }) => listedAt.gte(new Date(0)),
    'listedAt >= 1970-01-01T00:00:00.000Z',
    range('listedAt', { gte: 0 }),
  ],
  [
    'years',
    ({ listedAt }) => listedAt.between('2020', '2021'),
    'listedAt:["2020" TO "2021"]',
    range('listedAt', { gte: Date.UTC(2020), lt: Date.UTC(2022) }),
  ],
  [
    'a form',
    ({ name }) => name.like('*carbon t?nne'),
    'name like "*carbon t?nne"',
    pattern('name', 'whole', '*carbon t?nne'),
  ],
  ['a form without wildcards', ({ name }) => name.like('50%'), 'name = "50%"', equal('name', '50%')],
  [
    'a form with a star that is none',
    ({ name }) => name.like('a\\*b*'),
    'name like "a\\*b*"',
    pattern('name', 'whole', 'a\\*b*'),
  ],
  [
    'a form with a backslash',
    ({ name }) => name.like('C:\\data*'),
    'name like "C:\\\\data*"',
    pattern('name', 'whole', 'C:\\\\data*'),
  ],
  ['a beginning', ({ source }) => source.startsWith('T*'), 'source like "T\\**"', pattern('source', 'whole', 'T\\**')],
  [
    'a beginning with a sign of SQL',
    ({ name }) => name.startsWith('50%'),
    'name like "50%*"',
    pattern('name', 'whole', '50%*'),
  ],
  ['an end', ({ name }) => name.endsWith('onne'), 'name like "*onne"', pattern('name', 'whole', '*onne')],
  [
    'a part',
    ({ name }) => name.contains('carbon "t'),
    'name like "*carbon \\"t*"',
    pattern('name', 'whole', '*carbon "t*'),
  ],
  [
    'words',
    ({ description }) => description.words('sao paulo'),
    'description:"sao paulo"',
    { kind: 'words', field: 'description', words: 'sao paulo' },
  ],
  [
    'words with signs',
    ({ name }) => name.words('*premium*'),
    'name:"\\*premium\\*"',
    { kind: 'words', field: 'name', words: '*premium*' },
  ],
  [
    'a form of a word',
    ({ description }) => description.wordLike('mangrov*'),
    'description:mangrov*',
    pattern('description', 'word', 'mangrov*'),
  ],
  [
    'a word that is a sign elsewhere',
    ({ name }) => name.wordLike('or'),
    'name:"or"',
    { kind: 'words', field: 'name', words: 'or' },
  ],
  ['an address', ({ address }) => address.eq('0xAb'), 'address = "0xAb"', equal('address', '0xAb')],
  [
    'the beginning of an address',
    ({ address }) => address.startsWith('0x2f'),
    'address like "0x2f*"',
    pattern('address', 'whole', '0x2f*'),
  ],
  ['any value', ({ registry }) => registry.exists(), 'registry exists', exists('registry')],
  ['no value', ({ registry }) => registry.missing(), 'not registry exists', negated(exists('registry'))],
];

describe('a condition that is built', () => {
  it.each(CONDITIONS)('says %s', (_, build, text, meaning) => {
    expect(String(where.projects(build))).toBe(text);
    expect(read(build)).toEqual(meaning);
  });

  it('is refused where no word has that form, or it has no bound', () => {
    for (const form of ['a-b*', '*', '??', 'a b*', '']) {
      const build = () => where.pools(({ name }) => name.wordLike(form));
      if (form === '') expect(String(build())).toBe('name:""');
      else expect(build).toThrow(RangeError);
    }
    expect(() => where.pools(({ price }) => price.range({} as { gt: number }))).toThrow(RangeError);
  });

  it('takes a list of values, and no text for a list of its characters', () => {
    const misuses = [
      // @ts-expect-error one text is no list
      () => where.pools(({ ticker }) => ticker.in('BCT')),
      // @ts-expect-error nor here
      () => where.pools(({ name }) => name.notIn('BCT')),
    ];
    for (const misuse of misuses) expect(misuse).toThrow(TypeError);
    const tickers: ReadonlySet<string> = new Set(['BCT', 'NCT']);
    expect(String(where.pools(({ ticker }) => ticker.in(tickers)))).toBe('ticker in ("BCT", "NCT")');
  });

  it('cannot be asked of a field that does not take it, nor of the other kind of asset', () => {
    const misuses = [
      // @ts-expect-error a keyword has no order
      () => where.pools(({ ticker }) => ticker.gt('B')),
      // @ts-expect-error a number is no text
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

/** A condition with what it means, joined and negated in any way. */
interface Meant {
  readonly criteria: Criteria<'projects'>;
  readonly tree: Tree;
}

const { meant } = fc.letrec<{ meant: Meant; list: Meant[] }>((tie) => ({
  list: fc.array(tie('meant'), { maxLength: 3 }),
  meant: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...CONDITIONS).map(([, build, , tree]) => ({ criteria: where.projects(build), tree })),
    tie('meant').map(({ criteria, tree }) => ({ criteria: not(criteria), tree: negated(tree) })),
    ...(['and', 'or'] as const).map((kind) =>
      tie('list').map((list) => ({
        criteria: (kind === 'and' ? and : or)(...list.map(({ criteria }) => criteria)),
        tree: joined(
          kind,
          list.map(({ tree }) => tree),
        ),
      })),
    ),
  ),
}));

describe('conditions that are joined', () => {
  it('mean what they were joined to mean, however deep', () => {
    fc.assert(
      fc.property(meant, ({ criteria, tree }) => {
        expect(treeOf(criteria)).toEqual(tree);
      }),
      { numRuns: 400 },
    );
  });

  it('nest no deeper than they must, for depth is limited', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((ticker) => where.pools((pool) => pool.ticker.eq(ticker)));
    if (!a || !b || !c) throw new Error('three were made');
    expect(`${not(not(a))}`).toBe('ticker = "a"');
    expect(`${and(and(a, b), and(c))}`).toBe('ticker = "a" and ticker = "b" and ticker = "c"');
    expect(`${or(or(a, b), and(b, c))}`).toBe('ticker = "a" or ticker = "b" or (ticker = "b" and ticker = "c")');
  });

  it('hold for everything or nothing when there are none', () => {
    expect([`${and()}`, `${or()}`]).toEqual(['*', 'not *']);
  });
});
