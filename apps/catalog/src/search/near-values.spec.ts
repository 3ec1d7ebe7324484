import { nearValues } from './near-values.js';

const near = (field: string, value: string, values: readonly string[]) => nearValues({ field, value }, values);

describe('near values', () => {
  it.each<[string, string, string[], string[]]>([
    [
      'the likeliest first, then the more frequent',
      'forest',
      ['reforestation', 'Forestry', 'forests'],
      ['Forestry', 'forests', 'reforestation'],
    ],
    ['few edits, whatever case and accents', 'énergi', ['ENERGY', 'synergies'], ['ENERGY']],
    ['no other short word', 'CA', ['WA', 'CAL', 'Caribbean', 'VA'], []],
    ['one edit of up to four letters', 'wood', ['word', 'wind'], ['word']],
    ['a value within what was sent', 'REDD+ projects', ['redd+', 'wind'], ['redd+']],
    ['SQL wildcards', '%ocean%', ['Pacific Ocean', 'Ocean', 'Texas'], ['Pacific Ocean', 'Ocean']],
    ['few edits of a value with an underscore', 'GOLD_STANDART', ['GOLD_STANDARD', 'VERRA'], ['GOLD_STANDARD']],
    ['no wildcards alone', '%_%', ['Texas'], []],
    ['a malformed percent sign as it is', '%E0%A4', ['Texas'], []],
    ['no long value', 'x'.repeat(65), [`${'x'.repeat(65)}`], []],
    [
      'at most five',
      'value',
      Array.from({ length: 9 }, (_, n) => `value ${n}`),
      ['value 0', 'value 1', 'value 2', 'value 3', 'value 4'],
    ],
  ])('are %s', (_, value, values, expected) => {
    expect(near('categories', value, values)).toEqual(expected);
  });

  it.each([
    ['uk', 'United Kingdom'],
    ['Estados Unidos', 'United States'],
    ['Côte d’Ivoire', 'Ivory Coast'],
    ['Türkiye', 'Turkey'],
    ['Niger', undefined],
    ['Austria', undefined],
    ['Brazilia', 'Brazil'],
  ])('of a country are the same country, and no other one: %s', (value, expected) => {
    const values = ['Australia', 'Nigeria', 'United States', 'Brazil', 'Turkey', 'United Kingdom', 'Ivory Coast'];
    expect(near('country', value, values)[0]).toBe(expected);
  });

  it('take time that grows little with hostile wildcards', () => {
    const values = Array.from({ length: 1_000 }, () => 'a'.repeat(256));
    const startedAt = performance.now();
    expect(near('name', `${'%a'.repeat(31)}b`, values)).toEqual([]);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
