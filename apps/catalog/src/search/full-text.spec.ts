import { clausesIn, MAX_CLAUSES } from './clause-count.js';
import { expansionsOf, misspeltExpansionsOf } from './expansions.js';
import { fullTextQuery } from './full-text-query.js';
import { compoundVariantsOf, readFullText } from './full-text-terms.js';

describe('readFullText', () => {
  const termsOf = (text: string) => readFullText(text).terms.map(({ text, quoted }) => (quoted ? `"${text}"` : text));

  it.each([
    ...['', ' ', '\t\r\n', '\u00a0\u2003'].map((text) => [text, true] as const),
    ...['!!!', '"', '""', '" "', '- + & |', '½', '…', '\u200b'].map((text) => [text, false] as const),
  ])('finds no word in %j, which is blank: %s', (text, isBlank) => {
    expect(readFullText(text)).toMatchObject({ isBlank, terms: [] });
  });

  it.each([
    ['  base\tcarbon\n', ['base', 'carbon']],
    ['"base carbon" tonne', ['"base carbon"', 'tonne']],
    ['pool"base carbon"tonne', ['pool', '"base carbon"', 'tonne']],
    ['“base carbon”', ['"base carbon"']],
    ['„base carbon“', ['"base carbon"']],
    ['base "carbon tonne', ['base', 'carbon', 'tonne']],
    ['base "carbon" "tonne', ['base', '"carbon"', 'tonne']],
    ['bct - nct', ['bct', 'nct']],
    ['"..." bct', ['bct']],
    ['-bct +nct not AND or* (x) a:b c~2 d^3 /e/', ['-bct', '+nct', 'not', 'or*', '(x)', 'a:b', 'c~2', 'd^3', '/e/']],
    ['Côte d’Ivoire', ['Côte', 'd’Ivoire']],
    ['森林 😀 Ⅻ', ['森林', '😀', 'Ⅻ']],
    ['BCT bct "BCT" Bct', ['Bct', '"BCT"']],
    ['The forests of Scotland AND wales', ['forests', 'Scotland', 'wales']],
    ['forests or bogs, not farms', ['forests', 'or', 'bogs,', 'not', 'farms']],
    ['"out of the" blue', ['"out of the"', 'blue']],
    ['to the', ['to', 'the']],
    ['a "!"', ['a']],
    ['e\u0301cole', ['\u00e9cole']],
  ])('splits %j', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });
});

describe('compoundVariantsOf', () => {
  it.each<readonly [string, number, readonly string[]]>([
    ['hot wind farm', 1, ['hotwind', 'windfarm']],
    ['biochar', 0, ['bi ochar', 'bio char', 'bioc har', 'bioch ar']],
    ['bio-char', 0, ['biochar']],
    ['Yong’an', 0, ['Yongan']],
    ...['wi fa', 'wind 2', '"wind" farm', 'vcs-1529', '森林水 木火土'].map((text) => [text, 0, []] as const),
    ...['"biochar"', 'vcs1529', 'abcdefghijklmnopqrstu', 'wind', '森林水木火土'].map((text) => [text, 0, []] as const),
  ])('joins and splits %s at word %d as %j', (text, place, forms) => {
    expect(compoundVariantsOf(readFullText(text).terms, place)).toEqual(forms);
  });
});

describe('expansionsOf', () => {
  const FORESTS = expect.arrayContaining(['forestry', 'afforestation', 'redd', 'improved forest management']);
  const HYDRO = expect.arrayContaining(['hydroelectric', 'hydro power']);
  const MANAGED = ['ifm'];

  it.each<readonly [string, number, unknown]>([
    ['forest', 0, FORESTS],
    ['Brazilian (FORESTS),', 1, FORESTS],
    ['forest’s', 0, FORESTS],
    ['hydro', 0, expect.arrayContaining(['hydropower', 'hydroelectric'])],
    ['hydropower', 0, HYDRO],
    ['improved forest management China', 0, MANAGED],
    ['improved forest management China', 1, MANAGED],
    ['improved forest management China', 2, MANAGED],
    ['improved forest management China', 3, []],
    ['wind-farm', 0, []],
    ['forest-fire', 0, []],
    ['afforestation', 0, []],
    ['"forest"', 0, []],
    ['improved "forest" management', 0, []],
    ['forest a1 a2 a3 a4 a5 a6 a7', 0, FORESTS],
    ['forest a1 a2 a3 a4 a5 a6 a7 a8', 0, []],
  ])('expands %s at word %d', (text, place, found) => {
    expect(expansionsOf(readFullText(text).terms, place)).toEqual(found);
  });

  it.each<readonly [string, boolean]>([
    ['forrest', true],
    ['hydropwer', true],
    ...['forest', 'afforestation', 'forebears', 'pvv', 'forrest a1 a2 a3 a4 a5 a6 a7 a8'].map(
      (text) => [text, false] as const,
    ),
  ])('takes %s for a misspelt project type: %s', (text, isMeant) => {
    expect(misspeltExpansionsOf(readFullText(text).terms, 0).length > 0).toBe(isMeant);
  });

  it('leaves the longest expanded text far below the limit of clauses', () => {
    const words = Array.from({ length: 7 }, (_, place) => 'abcdefghijklmnopqrst'.slice(place).padEnd(20, 'abcdefg'));
    expect(clausesIn(fullTextQuery(readFullText(['forest', ...words].join(' '))))).toBeLessThan(MAX_CLAUSES * 0.6);
  });
});

interface Tier {
  readonly constant_score: {
    readonly boost: number;
    readonly filter: { readonly bool: { readonly filter: object[] } };
  };
}

describe('fullTextQuery', () => {
  const tiersOf = (text: string) => {
    const query = fullTextQuery(readFullText(text)) as { dis_max: { queries: Tier[] } };
    return query.dis_max.queries.map(({ constant_score: { boost, filter } }) => ({
      boost,
      filter: filter.bool.filter,
    }));
  };
  const filtersOf = (text: string) => tiersOf(text).map(({ filter }) => filter);
  const phrase = (field: string, query: string) => ({ match_phrase: { [field]: { query } } });
  const anyOf = (...should: object[]) => ({ bool: { should, minimum_should_match: 1 } });
  const stemmed = (...forms: string[]) => anyOf(...forms.map((form) => phrase('fullText.stemmed', form)));
  const fuzzy = (field: string, query: string) => ({
    match: { [field]: { query, operator: 'and', fuzziness: 'AUTO:4,8', fuzzy_rewrite: 'constant_score' } },
  });
  const slipped = (word: string) => anyOf(fuzzy('fullText', word), fuzzy('fullText.stemmed', word));

  it('scores each tier with its weight, and requires every word in each', () => {
    const everywhere = [phrase('fullText', 'base'), phrase('fullText', 'tonne')];
    const base = stemmed('base', 'basetonne');
    const tonne = stemmed('tonne', 'basetonne', 'to nne', 'ton ne');
    expect(tiersOf('base tonne')).toEqual([
      { boost: 6, filter: [{ terms: { ticker: ['base', 'tonne', 'base tonne'] } }, ...everywhere] },
      { boost: 5, filter: [{ term: { 'name.exact': 'base tonne' } }] },
      { boost: 4, filter: [phrase('name.fullText', 'base'), phrase('name.fullText', 'tonne')] },
      { boost: 3, filter: everywhere },
      { boost: 2, filter: [base, tonne] },
      { boost: 1, filter: [anyOf(base, slipped('base')), anyOf(tonne, slipped('tonne'))] },
    ]);
  });

  it('finds a project type by its general name half a tier below inflections', () => {
    const expanded = anyOf(phrase('fullText.stemmed', 'peat'), phrase('fullText.stemmed', 'peatland'));
    expect(tiersOf('peat')[5]).toEqual({ boost: 1.5, filter: [expanded] });
  });

  it('allows no typos in a name of project types that is like another', () => {
    expect(filtersOf('afforestation').at(-1)).toEqual(filtersOf('afforestation').at(-2));
    expect(filtersOf('hydropower').at(-1)).not.toEqual(filtersOf('hydropower').at(-2));
  });

  it('allows typos only in long words, in the long parts of a compound, and in the word of a possessive', () => {
    const loose = { bool: { filter: [phrase('fullText.stemmed', 'co'), slipped('benefit')] } };
    for (const [text, last] of [
      ['co-benefit', anyOf(stemmed('co-benefit', 'cobenefit'), loose)],
      ['Verra’s', anyOf(stemmed('Verra’s', 'Verras'), slipped('Verra'))],
      ...['bct', 'ab', '2020', 'VCS1529', 'mco2', 'A1B2C3D4'].map(
        (word) => [word, phrase('fullText.stemmed', word)] as const,
      ),
    ] as const) {
      expect([text, filtersOf(text)[5]]).toEqual([text, [last]]);
    }
  });
});
