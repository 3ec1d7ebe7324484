import { compile } from '@carbon/criteria';
import { CRITERIA_FIELDS } from '../criteria-fields.js';
import { asset } from '../test-asset.js';
import { searchPath } from '../test-catalog.js';
import { catalogWith } from '../test-catalog-with.js';
import { EXTREME_CRITERIA } from './test-extreme-criteria.js';

/** Every project has one value of each field, and no two the same: so OpenSearch cannot leave any condition out. */
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

const TEXTS = [
  'mangrove',
  Array.from({ length: 128 }, (_, place) => String.fromCodePoint(0xac00 + place)).join(' '),
  Array.from({ length: 36 }, (_, place) => `abc${String.fromCharCode(97 + (place % 26))}-${place % 10}`).join(' '),
];

describe('criteria at their limits', () => {
  const { catalog } = catalogWith(...PROJECTS, ...POOLS);

  const statusOf = async (kind: 'pools' | 'projects', criteria: string, fullTextSearch = '') =>
    (await catalog.get(searchPath(kind, { criteria, fullTextSearch }))).status;

  it.each(EXTREME_CRITERIA)('are answered: %s', async (_, criteria) => {
    expect(compile(criteria, CRITERIA_FIELDS.POOL)).toMatchObject({ ok: true });
    expect(await statusOf('projects', criteria)).toBe(200);
    expect(await statusOf('pools', criteria)).toBe(200);
    for (const text of TEXTS) expect([200, 400]).toContain(await statusOf('projects', criteria, text));
  });

  it('are answered together with a few words, unless nearly all of them are numbers', async () => {
    const refused: string[] = [];
    for (const [name, criteria] of EXTREME_CRITERIA) {
      if ((await statusOf('projects', criteria, 'mangrove forest')) !== 200) refused.push(name);
    }
    expect(refused.filter((name) => !/numbers|ranges|absence/.test(name))).toEqual([]);
  });

  it.each([
    ['TOO_LONG', ' '.repeat(4097)],
    ['TOO_DEEP', `${'('.repeat(17)}rating>3${')'.repeat(17)}`],
    ['TOO_MANY_CLAUSES', `rating in (${Array.from({ length: 257 }, (_, number) => number).join()})`],
    ['VALUE_TOO_LONG', `ticker:${'x'.repeat(257)}`],
    ['TOO_MANY_PATTERNS', Array.from({ length: 9 }, (_, number) => `ticker:${number}*`).join(' ')],
    ['PATTERN_TOO_BROAD', 'ticker:a*b*c*d*e*'],
    ['PATTERN_TOO_BROAD', 'ticker:a?????????'],
    ['PATTERN_TOO_BROAD', 'name:*ab'],
    ['PATTERN_TOO_BROAD', `ticker:*a????????${'a'.repeat(100)}`],
  ])('are refused with %s one step further', async (code, criteria) => {
    const { status, body } = await catalog.get(searchPath('projects', { criteria }));
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_criteria', errors: [{ code: code.toLowerCase() }] });
  });
});
