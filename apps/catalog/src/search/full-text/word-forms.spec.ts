import { readFullText } from './terms.js';
import { formsOf } from './word-forms.js';

const forms = (text: string, place = 0) => formsOf(readFullText(text).terms, place);

describe('formsOf', () => {
  it('joins a word to the one before and the one after it', () => {
    expect(forms('hot wind farm', 1)).toEqual(['hotwind', 'windfarm']);
    expect(forms('wind', 0)).toEqual([]);
  });

  it('parts a word wherever both parts have two letters', () => {
    expect(forms('biochar')).toEqual(['bi ochar', 'bio char', 'bioc har', 'bioch ar']);
  });

  it('leaves hyphens and apostrophes out', () => {
    expect(forms('bio-char')).toEqual(['biochar']);
    expect(forms('Yong’an')).toEqual(['Yongan']);
  });

  it.each(['wi fa', 'wind 2', '"wind" farm', 'vcs-1529', '森林水 木火土'])('joins nothing in %s', (text) => {
    expect(forms(text)).toEqual([]);
  });

  it.each(['"biochar"', 'vcs1529', 'abcdefghijklmnopqrstu', 'wind', '森林水木火土'])('does not part %s', (text) => {
    expect(forms(text)).toEqual([]);
  });
});
