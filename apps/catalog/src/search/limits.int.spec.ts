import { compile } from '@carbon/criteria';
import { searchPath } from '../testing/catalog.js';
import { EXTREME_CRITERIA } from '../testing/extreme-criteria.js';
import { asset } from '../testing/library.js';
import { catalogWith } from '../testing/set-up.js';
import { CRITERIA_FIELDS } from './search-plan.js';

interface Problem {
  readonly code: string;
  readonly errors?: readonly { readonly field: string; readonly code: string }[];
}

/** Every project has one value of each field, and all values differ, so that OpenSearch cannot skip any condition. */
const PROJECTS = Array.from({ length: 60 }, (_, number) =>
  asset(`proj_${number}`, {
    ticker: `T${number * 5}`,
    address: `0x${(number * 5).toString(16)}`,
    name: `w${number * 5} mangrove`,
    description: `a w${number * 5}`,
    rating: number / 10,
    price: 1 + number / 5,
    active: number % 2 === 0,
    vintages: [1000 + number * 10],
    sdgs: [1 + (number % 17)],
  }),
);

/** Few pools have a value. */
const POOLS = Array.from({ length: 10 }, (_, number) =>
  asset(
    `pool_${number}`,
    number === 3 ? { ticker: 'T3', rating: 3, price: 3, sdgs: [1, 17], vintages: [2000, 2010] } : {},
  ),
);

const fromCode = (begin: number, count: number) =>
  Array.from({ length: count }, (_, place) => String.fromCodePoint(begin + place));
const words = (count: number, word: (number: number) => string) => Array.from({ length: count }, (_, n) => word(n));
const letter = (value: number) => String.fromCharCode(97 + (value % 26));
/** Returns a different word of letters for every number below 676. */
const wordOf = (number: number, length: number) =>
  (letter(number) + letter(Math.floor(number / 26)) + letter(number * 5)).padEnd(length, 'ion').slice(0, length);

const HANGUL = fromCode(0xac00, 128).join(' ');
const JOINED = words(36, (n) => `abc${letter(n)}-${n % 10}`).join(' ');
const MAX_TEXTS = [
  HANGUL,
  JOINED,
  fromCode(0x4e00, 256).join(''),
  fromCode(0x4e00, 128).join(' '),
  words(51, (n) => fromCode(0x4e00 + n * 4, 4).join('')).join(' '),
  words(51, (n) => `a${letter(n)}${letter(n * 7)}b`).join(' '),
  // Words of the lengths that have the most alternative forms.
  ...[3, 4, 5, 8, 20].map((length) => words(64, (n) => wordOf(n, length)).join(' ')),
  words(64, (n) => `${wordOf(n, 2)}-${wordOf(n * 3, 4)}`).join(' '),
  ...['a1', 'co₂-', '森', 'a', '🌳', '"', '" a ', "a'"].map((piece) => piece.repeat(256)),
].map((text) => [...text].slice(0, 256).join(''));

const CHARACTERS = [
  ...`"“”'’\\/+-=&|><!(){}[]^~*?:;,.%#@$ \t\n\u0000\u200b\ufeff\u00a0`,
  ...'aZ09éß森🌳½²Ⅻ',
  '\u0301',
  '\ud83d\udc68\u200d\ud83d\udc69',
];
const WORDS = ['AND', 'OR', 'NOT', 'TO', '_exists_:x', '{"match_all":{}}', '<script>', 'mangrove', 'null', 'NaN', '𝒳'];

/** Concurrent searches. */
const CONCURRENCY = 16;

/** The same strings every time, so that a failure can be found again by its number. */
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

describe('a search', () => {
  const { catalog } = catalogWith(...PROJECTS, ...POOLS);

  const statusOf = async (kind: 'pools' | 'projects', criteria: string, fullTextSearch = '') =>
    (await catalog.get(searchPath(kind, { criteria, fullTextSearch }))).status;

  it('answers the most expensive criteria, alone and with a few words, and the most expensive words with criteria', async () => {
    const unanswered: unknown[] = [];
    for (const [name, criteria] of EXTREME_CRITERIA) {
      expect([name, compile(criteria, CRITERIA_FIELDS.POOL).ok]).toEqual([name, true]);
      const alone = await Promise.all([statusOf('projects', criteria), statusOf('pools', criteria)]);
      const texts = ['mangrove forest', 'mangrove', HANGUL, JOINED];
      const [few = 0, ...others] = await Promise.all(texts.map((text) => statusOf('projects', criteria, text)));
      const mayBeTooMuch = /numbers|ranges|absence/.test(name);
      const isRight =
        alone.every((status) => status === 200) &&
        (few === 200 || (mayBeTooMuch && few === 400)) &&
        others.every((status) => [200, 400].includes(status));
      if (!isRight) unanswered.push({ name, alone, few, others });
    }
    expect(unanswered).toEqual([]);
  });

  it.each([
    ['too_long', ' '.repeat(4097)],
    ['too_deep', `${'('.repeat(17)}rating>3${')'.repeat(17)}`],
    ['too_many_clauses', `rating in (${Array.from({ length: 257 }, (_, number) => number).join()})`],
    ['value_too_long', `ticker:${'x'.repeat(257)}`],
    ['too_many_patterns', Array.from({ length: 9 }, (_, number) => `ticker:${number}*`).join(' ')],
    ['pattern_too_broad', 'ticker:a*b*c*d*e*'],
    ['pattern_too_broad', `ticker:*a????????${'a'.repeat(100)}`],
  ])('refuses with %s criteria that are one step above the limit', async (code, criteria) => {
    const { status, body } = await catalog.get(searchPath('projects', { criteria }));
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_criteria', errors: [{ code }] });
  });

  it('answers any input: the longest texts, and 400 of punctuation, words and rare characters', async () => {
    const texts = [...MAX_TEXTS, ...Array.from({ length: 400 }, (_, number) => hostile(number))];
    const failed: unknown[] = [];
    for (let from = 0; from < texts.length; from += CONCURRENCY) {
      const batch = texts.slice(from, from + CONCURRENCY);
      const statuses = await Promise.all(batch.map((text) => statusOf('pools', '', text)));
      failed.push(...batch.filter((_, place) => statuses[place] !== 200));
    }
    expect(failed).toEqual([]);
  });

  it('refuses words that are too expensive together with the criteria, with the reason', async () => {
    const criteria = Array.from({ length: 256 }, (_, number) => `rating>${number}`).join(' or ');
    const { status, body } = await catalog.get(searchPath('pools', { fullTextSearch: HANGUL, criteria }));
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'fullTextSearch' }] });
  });
  async function problem(path: string, sent?: Record<string, string>): Promise<Problem> {
    const { status, headers, body } = await catalog.get(path, sent);
    expect(status).toBe(400);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({ status: 400, type: `/problems/${(body as Problem).code}`, title: expect.any(String) });
    expect(body).toHaveProperty('instance', headers.get('x-request-id'));
    return body as Problem;
  }
  const itemsOf = async (path: string) => (await problem(path)).errors?.map(({ field, code }) => `${field} ${code}`);

  it('requires an account', async () => {
    expect((await problem(searchPath('pools'), {})).errors).toEqual([
      expect.objectContaining({ field: 'x-account', code: 'invalid_header' }),
    ]);
  });

  it.each<readonly [string, readonly string[]]>([
    ['/v1/assets/pools', ['criteria missing_parameter', 'fullTextSearch missing_parameter']],
    ['/v1/assets/projects?criteria=', ['fullTextSearch missing_parameter']],
    ['/v1/assets/projects?fullTextSearch=', ['criteria missing_parameter']],
    ['/v1/assets/pools?criteria=%ff&fullTextSearch=', ['criteria invalid_parameter']],
    [searchPath('pools', { fullTextSearch: '🌳'.repeat(257) }), ['fullTextSearch invalid_parameter']],
    ...['', '0', '101', '1.5'].map((limit) => [searchPath('pools', { limit }), ['limit invalid_parameter']] as const),
    [searchPath('pools', { cursor: '' }), ['cursor invalid_parameter']],
    [`${searchPath('pools')}&criteria=a`, ['criteria duplicate_parameter']],
    [`${searchPath('pools')}&sort=name&sort=id`, ['sort duplicate_parameter']],
    [`${searchPath('pools')}&order=name`, ['order unknown_parameter']],
    [`${searchPath('pools')}&x=%zz`, ['x unknown_parameter']],
    [`${searchPath('pools')}&`, [' unknown_parameter']],
    [
      `${searchPath('pools')}&limit=0&sort=-ratings&fields=tickr`,
      ['fields', 'sort', 'limit'].map((name) => `${name} invalid_parameter`),
    ],
  ])('refuses %s', async (path, items) => {
    expect((await itemsOf(path))?.sort()).toEqual([...items].sort());
  });

  it('explains how to encode an & that would have widened the search', async () => {
    const body = await problem('/v1/assets/pools?criteria=rating>3&&source:C3&fullTextSearch=');
    expect(JSON.stringify(body.errors)).toContain('%26');
  });

  it('reports the position of an error in criteria', async () => {
    const body = await problem(searchPath('projects', { criteria: 'country: Brazil and vintages: 20x9' }));
    const place = { field: 'criteria', position: 30, length: 4 };
    expect(body).toMatchObject({
      code: 'invalid_criteria',
      snippet: 'country: Brazil and vintages: 20x9\n                              ^^^^',
      errors: [{ ...place, code: 'invalid_value', detail: expect.any(String), expectedType: 'integer' }],
    });
  });

  it('reports all errors in criteria at once', async () => {
    const { errors } = await problem(searchPath('pools', { criteria: 'tiker:BCT and rating:high and (source:C3' }));
    expect(errors).toEqual([
      expect.objectContaining({ code: 'unknown_field', suggestion: 'ticker' }),
      expect.objectContaining({ code: 'invalid_value', position: 21, length: 4 }),
      expect.objectContaining({ code: 'unbalanced_paren', position: 30, length: 1 }),
    ]);
  });

  it('reports that a field belongs to projects', async () => {
    const { errors } = await problem(searchPath('pools', { criteria: 'country:Brazil' }));
    expect(JSON.stringify(errors)).toContain('projects');
  });

  it.each(['x', 'AAAA', '%20', 'eyJhIjoxfQ'])('refuses the cursor %s', async (cursor) => {
    expect(await problem(`${searchPath('pools')}&cursor=${cursor}`)).toMatchObject({ code: 'invalid_cursor' });
  });
});
