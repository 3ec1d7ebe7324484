import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, eventually, itemsOf, nextOf } from './testing/client.js';
import { messageErrors } from './testing/described.js';
import { System } from './testing/system.js';

let system: System;
let api: Client;
beforeAll(async () => {
  system = await System.start();
  api = system.client;
}, 300_000);
afterAll(() => system.stop(), 60_000);

interface Asset {
  readonly id: string;
  readonly ticker?: string;
  readonly name: string;
  readonly country?: string;
  readonly price?: number;
  readonly rating?: number;
}
type Query = Readonly<Record<string, string>>;

const POOLS = ['BCT', 'CHAR', 'MCO2', 'NBO', 'NCT', 'REDD', 'UBO'];
const PROJECTS = 231 + 58;
const SHOWN = ['address', 'description', 'name', 'rating', 'source', 'ticker'];
const kinds = ['pools', 'projects'] as const;

function path(kind: string, query: Query = {}): string {
  return `/v1/assets/${kind}?${new URLSearchParams({ criteria: '', fullTextSearch: '', ...query })}`;
}
const search = (kind: string, query?: Query) => api.get<Asset[]>(path(kind, query));
const tickers = async (query: Query) => (await search('pools', query)).map(({ ticker }) => ticker);

describe.each(kinds)('the search for %s', (kind) => {
  it('returns the six default fields of an asset with their types, best rated first', async () => {
    const { body, headers } = await api.ask(path(kind, { limit: '100' }));
    const found = body as Asset[];
    expect(found.length).toBeGreaterThan(6);
    expect(headers['x-total-count']).toBe(String(kind === 'pools' ? POOLS.length : PROJECTS));
    expect([...new Set(found.flatMap(Object.keys))].sort()).toEqual(SHOWN);
    const ratings = found.map(({ rating }) => rating ?? -1);
    expect(ratings).toEqual([...ratings].sort((a, b) => b - a));
  });

  it('pages through every asset once, with the total count on every page', async () => {
    const ids = (await api.walk<Asset>(path(kind, { limit: '40', fields: 'id' }))).map(({ id }) => id);
    expect(new Set(ids).size).toBe(kind === 'pools' ? POOLS.length : PROJECTS);
    expect(ids).toHaveLength(new Set(ids).size);
  });

  it('returns 304 to a client that has the response already', async () => {
    const { headers, body } = await api.ask(path(kind));
    expect(headers['cache-control']).toBe('private, max-age=1');
    const again = (etag = '') => api.ask(path(kind), { headers: { 'if-none-match': etag } });
    expect(await again(`W/"other", ${headers.etag}`)).toMatchObject({ status: 304, body: '' });
    expect(await again('"other"')).toMatchObject({ status: 200, body });
  });

  it('finds nothing without an error', async () => {
    expect(await search(kind, { criteria: 'ticker: NOSUCHTICKER' })).toEqual([]);
    expect(await search(kind, { fullTextSearch: 'zzzxxyy "unbalanced' })).toEqual([]);
  });

  it.each<[Query | string, string[]]>([
    ['', ['criteria missing_parameter', 'fullTextSearch missing_parameter']],
    ['?criteria=', ['fullTextSearch missing_parameter']],
    ['?fullTextSearch=', ['criteria missing_parameter']],
    ['?criteria=&criteria=&fullTextSearch=', ['criteria duplicate_parameter']],
    ['?criteria=%zz&fullTextSearch=', ['criteria invalid_parameter']],
    [{ order: 'name' }, ['order unknown_parameter']],
    [
      { sort: 'prce', fields: 'nam', limit: '101' },
      ['fields invalid_parameter', 'limit invalid_parameter', 'sort invalid_parameter'],
    ],
    [{ fullTextSearch: 'x'.repeat(257) }, ['fullTextSearch invalid_parameter']],
    [{ limit: '' }, ['limit invalid_parameter']],
  ])('refuses %j', async (query, items) => {
    const answer = await api.ask(typeof query === 'string' ? `/v1/assets/${kind}${query}` : path(kind, query));
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(itemsOf(answer)).toEqual(items);
  });

  it('refuses a cursor of a different search', async () => {
    const next = nextOf((await api.ask(path(kind, { limit: '2' }))).headers) ?? '';
    expect(await api.ask(next.replace('limit=2', 'limit=3'))).toMatchObject({ status: 200 });
    const invalid = { status: 400, body: { code: 'invalid_cursor' } };
    expect(await api.ask(`${next}&sort=name`)).toMatchObject(invalid);
    expect(await api.ask(next.replace(kind, kind === 'pools' ? 'projects' : 'pools'))).toMatchObject(invalid);
  });
});

describe('criteria and full text', () => {
  it.each<[Query, string[]]>([
    [{}, POOLS],
    [{ criteria: 'source: TOUCAN and ticker in (BCT, NCT)' }, ['BCT', 'NCT']],
    [{ criteria: 'ticker != BCT and (price < 3 or rating >= 4) and name exists' }, ['NBO', 'REDD', 'UBO']],
    [{ criteria: 'not source: TOUCAN and name like "*carbon*"' }, ['MCO2']],
    [{ criteria: 'price: 5..8' }, ['MCO2', 'NBO', 'NCT', 'REDD']],
    [{ fullTextSearch: 'BCT' }, ['BCT']],
    [{ fullTextSearch: '"carbon tonne"' }, ['BCT', 'NCT']],
    [{ fullTextSearch: 'nautre carbn tonne' }, ['NCT']],
    [{ criteria: 'ticker: BCT', fullTextSearch: 'nature' }, []],
    [{ criteria: 'source: TOUCAN', fullTextSearch: 'nature' }, ['NCT']],
  ])('%j', async (query, expected) => {
    expect((await tickers(query)).sort()).toEqual(expected);
  });

  it('narrow projects by country, years and words', async () => {
    const criteria = 'country: Brazil and vintages: 2012..2020';
    const found = await search('projects', { criteria, fields: 'country', limit: '100' });
    expect(found.length).toBeGreaterThan(5);
    expect(new Set(found.map(({ country }) => country))).toEqual(new Set(['Brazil']));
    expect(await search('projects', { criteria: `${criteria} and country != Brazil` })).toEqual([]);
    const some = await search('projects', { criteria: 'country: Brazil', fullTextSearch: 'forest' });
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThanOrEqual((await search('projects', { criteria: 'country: Brazil' })).length);
  });

  it('return the requested fields and the requested order, with absent values last', async () => {
    expect(await tickers({ fullTextSearch: 'carbon', sort: '-ticker' })).toEqual(['NCT', 'MCO2', 'BCT']);
    const query = { sort: '-price,name', fields: 'price', limit: '100' };
    const prices = (await search('projects', query)).map(({ price }) => price ?? Number.NEGATIVE_INFINITY);
    expect(prices).toEqual([...prices].sort((a, b) => b - a));
    expect(await search('pools', { criteria: 'ticker:BCT', fields: 'id,chain' })).toEqual([
      { id: 'pool_bct', chain: 'polygon' },
    ]);
    const [all] = await search('pools', { criteria: 'ticker:BCT', fields: '*' });
    expect(all).toMatchObject({ id: 'pool_bct', price: 2.57, active: true });
    expect(all).not.toHaveProperty('type');
  });

  it.each<[string, object]>([
    ['source: TOUCAN and tiker: BCT', { code: 'unknown_field', position: 19, length: 5, suggestion: 'ticker' }],
    ['rating: high', { code: 'invalid_value', position: 8, length: 4, expectedType: 'number' }],
    ['ticker > BCT', { code: 'operator_not_allowed' }],
    ['(source: TOUCAN', { code: 'unbalanced_paren', position: 0 }],
    ['source: "TOUCAN', { code: 'unterminated_string', position: 8 }],
    ['source: TOUCAN and', { code: 'unexpected_end' }],
    ['source: A or source: B source: C', { code: 'ambiguous_or' }],
    ['price: 8..5', { code: 'empty_range' }],
    ['x'.repeat(4_097), { code: 'too_long' }],
  ])('that are invalid are reported with their position: %.40s', async (criteria, error) => {
    const answer = await api.ask(path('pools', { criteria }));
    const errors = expect.arrayContaining([expect.objectContaining({ field: 'criteria', ...error })]);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_criteria', errors } });
  });
});

describe('GET /v1/assets/schema', () => {
  it('describes the fields of both types, and their values in the library', async () => {
    const { body, headers } = await api.ask('/v1/assets/schema');
    const { pools, projects } = body as Record<string, { total: number; fields: Record<string, unknown>[] }>;
    expect([pools?.total, projects?.total]).toEqual([POOLS.length, PROJECTS]);
    const values = POOLS.map((value) => ({ value, count: 1 }));
    const ticker = { name: 'ticker', type: 'keyword', multi: false, values };
    expect(pools?.fields).toContainEqual(expect.objectContaining(ticker));
    const price = { name: 'price', min: expect.any(Number), max: expect.any(Number) };
    expect(projects?.fields).toContainEqual(expect.objectContaining(price));
    expect(pools?.fields.some(({ name }) => name === 'country')).toBe(false);
    const again = await api.ask('/v1/assets/schema', { headers: { 'if-none-match': headers.etag ?? '' } });
    expect(again.status).toBe(304);
    expect(await api.ask('/v1/assets/schema?x=1')).toMatchObject({ status: 400 });
  });
});

describe('a search that finds nothing', () => {
  it('points to its hints: the clauses that match nothing, and similar values', async () => {
    const empty = await api.ask('/v1/assets/projects?criteria=country:%20Brasil&fullTextSearch=');
    expect([empty.status, empty.body]).toEqual([200, []]);
    const { status, body } = await api.ask(empty.headers['x-search-hints'] ?? '');
    const values = [{ field: 'country', value: 'Brasil', near: ['Brazil'] }];
    expect([status, body]).toMatchObject([200, { total: 0, clauses: [{ parameter: 'criteria', total: 0, values }] }]);
  });
});

describe('the library', () => {
  /** Each has 32 words of 256 characters in total, and names of the maximum length. */
  const words = Array.from({ length: 32 }, (_, n) => `w${String(n * 7919).padStart(6, '0')} `).join('');
  const long = ['a', 'b', 'c'].map((end) => ({
    id: `proj_${end.repeat(64)}`,
    type: 'PROJECT',
    source: 'VERRA',
    name: '🌳'.repeat(511) + end,
    registry: 'Ж'.repeat(256),
    rating: -1.123456789012345e-7,
    description: words,
  }));
  const sale = { source: 'TEST', price: 1, issued: 5, active: true };
  const fresh = { id: 'pool_fresh', type: 'POOL', name: 'Fresh', ticker: 'FRESH', ...sale };
  const publish = async (assets: readonly object[]) => {
    const file = join(system.dir, 'assets.ndjson');
    writeFileSync(file, assets.map((asset) => `${JSON.stringify(asset)}\n`).join(''));
    return await system.command('assets', 'publish', file);
  };

  it('finds, sells and withdraws a published asset, whose event matches its schema', async () => {
    expect(await publish([fresh])).toMatchObject({ code: 0 });
    const events = (await system.topics.read('asset.published')).filter(({ key }) => key === fresh.id);
    expect(events.map(({ value }) => value)).toEqual([fresh]);
    expect(messageErrors('asset.published.v1', events[0]?.headers ?? {}, fresh)).toEqual([]);
    await eventually(async () => expect(await tickers({ criteria: 'source: TEST' })).toEqual(['FRESH']));
    const body = { kgCO2e: 1_000, asset: fresh.id };
    await eventually(async () =>
      expect(await api.post(body, undefined, '/v1/estimates')).toMatchObject({ status: 201, body: { cost: 1 } }),
    );
    expect(JSON.parse(await system.output('assets', 'show', fresh.id))).toEqual(fresh);
    expect(await system.output('assets', 'list')).toContain(fresh.id);
    await system.output('assets', 'withdraw', fresh.id);
    await eventually(async () => expect(await tickers({ criteria: 'source: TEST' })).toEqual([]));
    expect(await system.command('assets', 'show', fresh.id)).toMatchObject({ code: 1 });
  });

  it('publishes nothing from a file with an invalid line', async () => {
    const wrong = { ...fresh, id: 'pool_wrong', type: 'BASKET' };
    expect(await publish([fresh, wrong])).toMatchObject({ code: 1, err: expect.stringContaining('type') });
    expect(await system.command('assets', 'show', fresh.id)).toMatchObject({ code: 1 });
  });

  it('is reindexed without an effect on searches, and verified', async () => {
    expect(await system.output('catalog', 'status')).toMatch(/"state":"live"/);
    const before = await system.output('catalog', 'status');
    await system.output('catalog', 'rebuild');
    expect(await system.output('catalog', 'status')).not.toBe(before);
    await eventually(async () => expect(await system.output('catalog', 'verify')).toMatch(/^OK: .* 296 assets/));
    expect((await tickers({ sort: 'ticker' })).length).toBe(POOLS.length);
  });

  it('accepts the longest query on every page, and refuses a longer one', async () => {
    await publish(long);
    const conditions = [...'ЖЩЮЯabcde'].map((letter) => `registry:"${letter.repeat(256)}"`).join(' or ');
    const longest = {
      criteria: conditions.padEnd(4_096),
      fullTextSearch: words,
      sort: 'name,-rating',
      fields: 'id,rating',
      limit: '1',
    };
    await eventually(async () => {
      const found = await api.walk<Asset>(path('projects', longest));
      expect(found).toEqual(long.map(({ id, rating }) => ({ id, rating })));
    });
    const answers = [`${longest.criteria} `, `${conditions}${'\t'.repeat(1_661)}`].map(
      async (criteria) => (await api.ask(path('projects', { ...longest, criteria, limit: '10' }))).status,
    );
    expect(await Promise.all(answers)).toEqual([400, 414]);
    expect(await api.ask(`${path('projects')}${'+'.repeat(64 * 1_024)}`)).toMatchObject({ status: 414 });
  });
});
