import { readFullText } from './terms.js';
import { fullTextQuery } from './tiers.js';

interface Tier {
  readonly constant_score: {
    readonly boost: number;
    readonly filter: { readonly bool: { readonly filter: object[] } };
  };
}

const tiersOf = (text: string) => {
  const query = fullTextQuery(readFullText(text)) as { dis_max: { queries: Tier[] } };
  return query.dis_max.queries.map(({ constant_score }) => constant_score);
};
const phrase = (field: string, query: string) => ({ match_phrase: { [field]: { query } } });
const fuzzy = (field: string, query: string) => ({
  match: { [field]: { query, operator: 'and', fuzziness: 'AUTO:4,8', fuzzy_rewrite: 'constant_score' } },
});
const slipped = (word: string) => ({
  bool: { should: [fuzzy('fullText', word), fuzzy('fullText.stemmed', word)], minimum_should_match: 1 },
});
const lastTierOf = (text: string) => tiersOf(text)[4]?.filter.bool.filter;

describe('fullTextQuery', () => {
  it('finds nothing without a searchable word', () => {
    expect(fullTextQuery(readFullText('!!!'))).toEqual({ match_none: {} });
  });

  it('scores each tier with its number, whatever the words', () => {
    for (const text of ['bct', 'base "carbon tonne" d’Ivoire']) {
      expect(tiersOf(text).map(({ boost }) => boost)).toEqual([5, 4, 3, 2, 1]);
    }
  });

  it('asks for every word in every tier', () => {
    const [ticker, inName, anywhere, inflected, misspelt] = tiersOf('base carbon').map(
      ({ filter }) => filter.bool.filter,
    );
    const everywhere = [phrase('fullText', 'base'), phrase('fullText', 'carbon')];
    expect(ticker).toEqual([{ terms: { ticker: ['base', 'carbon', 'base carbon'] } }, ...everywhere]);
    expect(inName).toEqual([phrase('name.fullText', 'base'), phrase('name.fullText', 'carbon')]);
    expect(anywhere).toEqual(everywhere);
    expect(inflected).toEqual([phrase('fullText.stemmed', 'base'), phrase('fullText.stemmed', 'carbon')]);
    expect(misspelt).toEqual([slipped('base'), slipped('carbon')]);
  });

  it('takes a quoted phrase as it is in every tier', () => {
    const exact = phrase('fullText', 'wind farms');
    expect(
      tiersOf('"wind farms"')
        .slice(2)
        .map(({ filter }) => filter.bool.filter),
    ).toEqual([[exact], [exact], [exact]]);
  });

  it('takes a ticker out of the signs around it', () => {
    expect(tiersOf('(BCT),')[0]?.filter.bool.filter[0]).toEqual({ terms: { ticker: ['(BCT),', 'BCT'] } });
  });

  it.each(['bct', 'ab', '2020', 'VCS1529', 'mco2', 'A1B2C3D4'])('forgives no slip in %s', (word) => {
    expect(lastTierOf(word)).toEqual([phrase('fullText.stemmed', word)]);
  });

  it('forgives slips in the long parts of a word with joints', () => {
    const and = (query: string) => ({ match: { 'fullText.stemmed': { query, operator: 'and' } } });
    expect(lastTierOf('co-benefit')).toEqual([
      {
        bool: {
          should: [phrase('fullText.stemmed', 'co-benefit'), { bool: { filter: [and('co'), slipped('benefit')] } }],
          minimum_should_match: 1,
        },
      },
    ]);
  });

  it('takes a possessive for its word', () => {
    expect(lastTierOf('Verra’s')).toEqual([slipped('Verra')]);
  });

  it('never uses what would read operators or code', () => {
    const hostile = 'a:b AND NOT (c* OR /d.*/) "e~2" ^5 {"script":1} \\';
    const kinds = new Set(JSON.stringify(fullTextQuery(readFullText(hostile))).match(/"[a-z_]+":\{/g));
    for (const kind of ['query_string', 'simple_query_string', 'script', 'regexp', 'wildcard', 'prefix']) {
      expect(kinds).not.toContain(`"${kind}":{`);
    }
  });
});
