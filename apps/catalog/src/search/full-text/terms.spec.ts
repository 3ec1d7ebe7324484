import { readFullText } from './terms.js';

const termsOf = (text: string) => readFullText(text).terms.map(({ text, quoted }) => (quoted ? `"${text}"` : text));

describe('readFullText', () => {
  it.each(['', ' ', '\t\r\n', '\u00a0\u2003'])('takes %j for nothing typed', (text) => {
    expect(readFullText(text)).toMatchObject({ blank: true, terms: [] });
  });

  it.each(['!!!', '"', '""', '" "', '- + & |', '½', '…', '\u200b'])('finds no searchable word in %j', (text) => {
    expect(readFullText(text)).toMatchObject({ blank: false, terms: [] });
  });

  it.each([
    ['base carbon', ['base', 'carbon']],
    ['  base\tcarbon\n', ['base', 'carbon']],
    ['"base carbon" tonne', ['"base carbon"', 'tonne']],
    ['pool"base carbon"tonne', ['pool', '"base carbon"', 'tonne']],
    ['“base carbon”', ['"base carbon"']],
    ['„base carbon“', ['"base carbon"']],
    ['base "carbon tonne', ['base', 'carbon', 'tonne']],
    ['base "carbon" "tonne', ['base', '"carbon"', 'tonne']],
    ['base"', ['base']],
    ['"', []],
    ['bct - nct', ['bct', 'nct']],
    ['"..." bct', ['bct']],
    ['-bct +nct not AND or* (x) a:b c~2 d^3 /e/', ['-bct', '+nct', 'not', 'or*', '(x)', 'a:b', 'c~2', 'd^3', '/e/']],
    ['Côte d’Ivoire', ['Côte', 'd’Ivoire']],
    ['森林 😀 Ⅻ', ['森林', '😀', 'Ⅻ']],
    ['BCT bct "BCT" Bct', ['Bct', '"BCT"']],
    ['The forests of Scotland AND wales', ['forests', 'Scotland', 'wales']],
    ['forests or bogs, not farms', ['forests', 'or', 'bogs,', 'not', 'farms']],
    ['"out of the" blue', ['"out of the"', 'blue']],
    ['IN', ['IN']],
    ['to the', ['to', 'the']],
    ['a "!"', ['a']],
  ])('takes %j apart', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it('composes accents', () => {
    expect(termsOf('e\u0301cole')).toEqual(['\u00e9cole']);
  });
});
