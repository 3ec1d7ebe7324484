import { asset } from '../test-asset.js';
import { searchPath } from '../test-catalog.js';
import { catalogWith } from '../test-catalog-with.js';

const CHARACTERS = [
  ...`"“”'’\\/+-=&|><!(){}[]^~*?:;,.%#@$ \t\n\u0000\u200b\ufeff\u00a0`,
  ...'aZ09éß森🌳½²Ⅻ',
  '\u0301',
  '\ud83d\udc68\u200d\ud83d\udc69',
];
const WORDS = ['AND', 'OR', 'NOT', 'TO', '_exists_:x', '{"match_all":{}}', '<script>', 'mangrove', 'null', 'NaN', '𝒳'];

/** The same strings every time: a failure can be found again by its number. */
function hostile(number: number): string {
  let state = number + 1;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % below;
  };
  const pieces = Array.from({ length: 1 + next(60) }, () => {
    const from = next(4) === 0 ? WORDS : CHARACTERS;
    return from[next(from.length)] ?? '';
  });
  return [...pieces.join('')].slice(0, 256).join('');
}

const LETTERS = Array.from({ length: 128 }, (_, place) => String.fromCodePoint(0xac00 + place)).join(' ');

/** Another word of letters for every number below 676. */
function wordOf(number: number, length: number): string {
  const letter = (value: number) => String.fromCharCode(97 + (value % 26));
  return (letter(number) + letter(Math.floor(number / 26)) + letter(number * 5)).padEnd(length, 'ion').slice(0, length);
}

const EXTREMES = [
  LETTERS,
  Array.from({ length: 256 }, (_, place) => String.fromCodePoint(0x4e00 + place)).join(''),
  Array.from({ length: 51 }, (_, word) => String.fromCodePoint(...[0, 1, 2, 3].map((n) => 0x4e00 + word * 4 + n))).join(
    ' ',
  ),
  Array.from({ length: 128 }, (_, place) => String.fromCodePoint(0x4e00 + place)).join(' '),
  Array.from({ length: 51 }, (_, place) => `a${String.fromCharCode(97 + (place % 26), 97 + ((place * 7) % 26))}b`).join(
    ' ',
  ),
  Array.from({ length: 28 }, (_, place) => `abcdefg${String.fromCharCode(97 + place)}`).join(' '),
  Array.from({ length: 36 }, (_, place) => `abc${String.fromCharCode(97 + (place % 26))}-${place % 10}`).join(' '),
  // Words of the lengths that have the most other forms.
  ...[3, 4, 5, 8, 20].map((length) => {
    return Array.from({ length: 64 }, (_, word) => wordOf(word, length)).join(' ');
  }),
  Array.from({ length: 64 }, (_, word) => `${wordOf(word, 2)}-${wordOf(word * 3, 4)}`).join(' '),
  'a1'.repeat(128),
  'co₂-'.repeat(64),
  '森'.repeat(256),
  'a'.repeat(256),
  '🌳'.repeat(256),
  '"'.repeat(256),
  '" a '.repeat(64),
  "a'".repeat(128),
];

describe('whatever a person types', () => {
  const { catalog } = catalogWith(asset('pool_a', { name: 'Mangrove', rating: 3, price: 3 }));

  const statusOf = async (fullTextSearch: string, criteria = '') =>
    (await catalog.get(searchPath('pools', { fullTextSearch, criteria }))).status;

  it('is never an error: 400 strings of signs, words and rare characters', async () => {
    const failed: string[] = [];
    for (let number = 0; number < 400; number += 1) {
      if ((await statusOf(hostile(number))) !== 200) failed.push(`${number}: ${JSON.stringify(hostile(number))}`);
    }
    expect(failed).toEqual([]);
  });

  it.each(EXTREMES)('is never too much: %j', async (text) => {
    expect(await statusOf([...text].slice(0, 256).join(''))).toBe(200);
  });

  it.each([
    ['ranges, all of them', 'price>', ' and '],
    ['ranges, any of them', 'rating>', ' or '],
    ['equalities, each negated', 'not rating=', ' or '],
    ['values, each negated', 'not id:', ' or '],
  ])('is served or refused, but never fails, together with the longest criteria: %s', async (_, condition, joint) => {
    const all = Array.from({ length: 256 }, (_, number) => `${condition}${number}`);
    while (all.join(joint).length > 4_096) all.pop();
    const criteria = all.join(joint);
    expect(await statusOf('', criteria)).toBe(200);
    expect(await statusOf('mangrove', criteria)).toBe(200);
    for (const text of EXTREMES)
      expect([200, 400]).toContain(await statusOf([...text].slice(0, 256).join(''), criteria));
  });

  it('is refused with the reason when it is too much together with the criteria', async () => {
    const criteria = Array.from({ length: 256 }, (_, number) => `rating>${number}`).join(' or ');
    const { status, body } = await catalog.get(searchPath('pools', { fullTextSearch: LETTERS, criteria }));
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'fullTextSearch' }] });
  });
});
