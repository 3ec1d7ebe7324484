import { ASSET_FIELDS, type AssetField, assetSchema, offsetIdSchema, offsetRequestedV1 } from '@carbon/contracts';
import { compile, criteriaFields } from '@carbon/criteria';
import { backlogOf } from './drain/backlog.js';
import { projects } from './library.js';
import { listQuestions } from './list/bench-list.js';
import { customerOf, idOf, timeOf } from './list/offset-store.js';
import { numbered } from './load/load.js';
import { gatewayRequest, REPEATED, SEARCHES } from './search/queries.js';

describe('the backlog of requests', () => {
  it('is valid requests, each with its own id, as the gateway publishes them', () => {
    const { messages, grams, count } = backlogOf(500);
    const requests = messages.map(({ value }) => offsetRequestedV1.parse(JSON.parse(String(value))));
    expect(new Set(requests.map(({ id }) => id)).size).toBe(count);
    expect(messages.map(({ key }) => key)).toEqual(requests.map(({ id }) => id));
    expect(messages[0]?.headers).toMatchObject({
      ce_type: 'offset.requested.v1',
      ce_subject: requests[0]?.id,
      traceparent: expect.stringMatching(/^00-0{31}1-/),
    });
    expect(grams).toBe(requests.reduce((sum, request) => sum + BigInt(request.grams), 0n));
  });
});

describe('the projects of the library', () => {
  const some = [...projects(4_000)];

  it('are valid assets, each with its own id, and the same however many are generated', () => {
    expect(some.map((project) => assetSchema.parse(project))).toEqual(some);
    expect(new Set(some.map(({ id }) => id)).size).toBe(4_000);
    expect([...projects(300)]).toEqual(some.slice(0, 300));
  });

  it('are distributed over sources, countries and ratings like the starter library', () => {
    const share = (test: (project: (typeof some)[number]) => boolean) => some.filter(test).length / some.length;
    expect(share(({ source }) => source === 'VERRA')).toBeCloseTo(189 / 289, 1);
    expect(share(({ country }) => country === 'India')).toBeCloseTo(63 / 289, 1);
    expect(share(({ rating = 0 }) => rating >= 3)).toBeCloseTo(0.5, 1);
    expect(new Set(some.map(({ name }) => name)).size).toBeGreaterThan(3_300);
  });
});

describe('the queries of a store of offsets', () => {
  const OFFSETS = 20_000;
  const questions = listQuestions(OFFSETS, ['a secret for the cursors of a test'], {});

  it('are the same for a store of any size, and in every run', () => {
    const requested = (list: typeof questions) => list.map(({ what, answer }) => [what, answer]);
    expect(requested(listQuestions(2_000_000, ['another secret'], {}))).toEqual(requested(questions));
    const again = listQuestions(OFFSETS, ['a secret for the cursors of a test'], {});
    expect(JSON.stringify(again) === JSON.stringify(questions)).toBe(true);
  });

  it('are for existing offsets, of customers with a hundred each', () => {
    const values = Array.from({ length: OFFSETS }, (_, n) => n + 1);
    const there = new Set(values.map((n) => idOf(n)));
    const named = new Set(questions[0]?.requests.map(({ path }) => path.split('=')[1] ?? ''));
    expect(named.size).toBeGreaterThan(4_000);
    expect([...named].filter((id) => !there.has(id))).toEqual([]);
    expect(offsetIdSchema.parse(idOf(OFFSETS))).toBe(idOf(OFFSETS));
    const customers = Map.groupBy(values, (n) => customerOf(n, OFFSETS));
    expect(new Set([...customers.values()].map(({ length }) => length))).toEqual(new Set([100]));
    expect(timeOf(1)).toBe('2026-01-01T00:00:01.000Z');
  });
});

describe('the searches of the benchmark', () => {
  const fields = criteriaFields(
    Object.entries<AssetField>(ASSET_FIELDS)
      .filter(([, { on }]) => on.includes('PROJECT'))
      .map(([name, { type, multi = false, exact = false }]) => ({ name, type, multi, exact })),
  );
  const texts = SEARCHES.map(({ criteria }) => criteria);

  it('are twenty, all different and accepted, one of which is repeated', () => {
    expect(new Set(SEARCHES.map((search) => gatewayRequest(search).path)).size).toBe(20);
    expect(texts.filter((text) => !compile(text.replace('{n}', '123457'), fields).ok)).toEqual([]);
    expect(SEARCHES[REPEATED]?.fullTextSearch).toBeDefined();
  });

  it('select the same whatever their number is', () => {
    // A rating has one decimal and a price two, so a further digit 5 excludes no value.
    const places = /rating (>|>=|<) \d\.\d5\{n\}|price (>|>=|<|<=) \d+\.\d{2}5\{n\}/g;
    const counts = texts.map((text) => [text.match(places)?.length, text.match(/\{n\}/g)?.length]);
    expect(counts).toEqual(texts.map(() => [1, 1]));
  });

  it('are encoded for a URL, except for the placeholder of the number', () => {
    expect(gatewayRequest({ criteria: 'price < 1.005{n}', fullTextSearch: '"a&b"' })).toEqual({
      method: 'GET',
      path: '/v1/assets/projects?criteria=price%20%3C%201.005{n}&fullTextSearch=%22a%26b%22',
    });
  });

  it('have a six-digit number wherever it fits, which repeats after a million', () => {
    const request = { method: 'POST', path: '/a?n={n}', body: '{"gte":3.05{n},"lt":4.05{n}}' } as const;
    const body = '{"gte":3.05000042,"lt":4.05000042}';
    expect(numbered(request, 42)).toEqual({ method: 'POST', path: '/a?n=000042', body });
    expect(numbered({ method: 'GET', path: '{n}' }, 1_000_007).path).toBe('000007');
  });
});
