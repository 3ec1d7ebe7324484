import { wordPattern } from './word-pattern.js';

describe('a pattern for a word', () => {
  it.each([
    ['Mangrov*', 'mangrov*'],
    ['SÃO?', 'sao?'],
    ['e\u0301COLE*', 'ecole*'],
    ['Straße*', 'strasse*'],
    ['STRAẞE*', 'strasse*'],
    ['ŒUVRE*', 'oeuvre*'],
    ['Łódź*', 'lodz*'],
    ['ÐØÞÆ*', 'dothae*'],
    ['Ǽ?', 'ae?'],
    ['İstanbul*', 'istanbul*'],
    ['ısı*', 'isi*'],
    ['ﬁＡ１*', 'fia1*'],
    ['ΆΛΦΑ*', 'άλφα*'],
    ['ЁЛКА*', 'ёлка*'],
    ['a_b2*', 'a_b2*'],
    ['漢*', '漢*'],
  ])('%s is folded as the index folds words: %s', (pattern, folded) => {
    expect(wordPattern(pattern)).toBe(folded);
  });

  it.each(['co-ben*', 'a b*', "d'iv*", 'd’iv*', '100%*', 'a\\**', 'a.b*', 'x²*', '🌳*'])(
    '%s is none: no word has that form',
    (pattern) => {
      expect(wordPattern(pattern)).toBeUndefined();
    },
  );

  it('folds what is folded to itself', () => {
    for (let code = 0xa0; code < 0x3000; code++) {
      const folded = wordPattern(String.fromCharCode(code));
      if (folded !== undefined) expect([code, wordPattern(folded)]).toEqual([code, folded]);
    }
  });
});
