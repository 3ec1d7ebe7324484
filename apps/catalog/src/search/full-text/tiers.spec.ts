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
const slipped = (word: string) => anyOf(fuzzy('fullText', word), fuzzy('fullText.stemmed', word));
const lastTierOf = (text: string) => tiersOf(text)[5]?.filter.bool.filter;
const anyOf = (...should: object[]) => ({ bool: { should, minimum_should_match: 1 } });
const stemmed = (...forms: string[]) => anyOf(...forms.map((form) => phrase('fullText.stemmed', form)));

describe('fullTextQuery', () => {
  it('finds nothing without a searchable word', () => {
    expect(fullTextQuery(readFullText('!!!'))).toEqual({ match_none: {} });
  });

  it('scores each tier with its number, whatever the words', () => {
    for (const text of ['bct', 'base "carbon tonne" d’Ivoire']) {
      expect(tiersOf(text).map(({ boost }) => boost)).toEqual([6, 5, 4, 3, 2, 1]);
    }
  });

  it('asks for every word in every tier', () => {
    const [ticker, name, inName, anywhere, inflected, misspelt] = tiersOf('base tonne').map(
      ({ filter }) => filter.bool.filter,
    );
    const everywhere = [phrase('fullText', 'base'), phrase('fullText', 'tonne')];
    const base = stemmed('base', 'basetonne');
    const tonne = stemmed('tonne', 'basetonne', 'to nne', 'ton ne');
    expect(ticker).toEqual([{ terms: { ticker: ['base', 'tonne', 'base tonne'] } }, ...everywhere]);
    expect(name).toEqual([{ term: { 'name.exact': 'base tonne' } }]);
    expect(inName).toEqual([phrase('name.fullText', 'base'), phrase('name.fullText', 'tonne')]);
    expect(anywhere).toEqual(everywhere);
    expect(inflected).toEqual([base, tonne]);
    expect(misspelt).toEqual([anyOf(base, slipped('base')), anyOf(tonne, slipped('tonne'))]);
  });

  it('takes a quoted phrase as it is in every tier', () => {
    const exact = phrase('fullText', 'wind farms');
    expect(
      tiersOf('"wind farms"')
        .slice(3)
        .map(({ filter }) => filter.bool.filter),
    ).toEqual([[exact], [exact], [exact]]);
  });

  it('compares the name with all that was typed, but for quotes and the width of gaps', () => {
    expect(tiersOf(' the "Base  Carbon"\ttonne ')[1]?.filter.bool.filter).toEqual([
      { term: { 'name.exact': 'the Base Carbon tonne' } },
    ]);
  });

  it('takes a ticker out of the signs around it', () => {
    expect(tiersOf('(BCT),')[0]?.filter.bool.filter[0]).toEqual({ terms: { ticker: ['(BCT),', 'BCT'] } });
  });

  it.each(['bct', 'ab', '2020', 'VCS1529', 'mco2', 'A1B2C3D4'])('forgives no slip in %s', (word) => {
    expect(lastTierOf(word)).toEqual([phrase('fullText.stemmed', word)]);
  });

  it('forgives slips in the long parts of a word with joints', () => {
    const loose = { bool: { filter: [phrase('fullText.stemmed', 'co'), slipped('benefit')] } };
    expect(lastTierOf('co-benefit')).toEqual([anyOf(stemmed('co-benefit', 'cobenefit'), loose)]);
  });

  it('takes a possessive for its word', () => {
    expect(lastTierOf('Verra’s')).toEqual([anyOf(stemmed('Verra’s', 'Verras'), slipped('Verra'))]);
  });

  it('never uses what would read operators or code', () => {
    const hostile = 'a:b AND NOT (c* OR /d.*/) "e~2" ^5 {"script":1} \\';
    const kinds = new Set(JSON.stringify(fullTextQuery(readFullText(hostile))).match(/"[a-z_]+":\{/g));
    for (const kind of ['query_string', 'simple_query_string', 'script', 'regexp', 'wildcard', 'prefix']) {
      expect(kinds).not.toContain(`"${kind}":{`);
    }
  });
});
