import { OFFSET_STATUSES, type OffsetStatus, type OffsetView } from '@carbon/contracts';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import fc from 'fast-check';
import { Database } from '../persistence/database.js';
import { readDatabaseState } from '../persistence/fence.js';
import { request } from '../testing/events.js';
import { callerHeaders, TestService } from '../testing/service.js';

/**
 * Fills an account ($1) with $2 offsets from the time $3 on, two per second, in all states, with and without
 * references: `u-0` and `u 1&x=%`, `e-0` and `e-1`. An estimate is used once, so offsets that name one have mostly
 * failed.
 */
const INSERT_LISTED = `
  INSERT INTO offsets (id, account, status, kg_co2e, grams, fingerprint, estimate_id, customer_ref, cost_micros,
    failure_code, failure_detail, created_at, updated_at, completed_at, failed_at)
  SELECT $1 || '_' || lpad(n::text, 10, '0'), $1, status, 1, 1000, repeat('0', 64), estimate, reference,
    CASE WHEN status IN ('processing', 'completed') THEN 1 END,
    CASE WHEN status = 'failed' THEN 'estimate_used' END, CASE WHEN status = 'failed' THEN 'It is used.' END,
    at, at, CASE WHEN status = 'completed' THEN at END, CASE WHEN status = 'failed' THEN at END
  FROM generate_series(1, $2::integer) AS n,
    LATERAL (SELECT $3::timestamptz + (n / 2) * interval '1 s' AS at,
      (ARRAY['u-0', 'u 1&x=%', NULL])[1 + n % 3] AS reference,
      CASE WHEN n % 4 < 2 THEN (ARRAY['e-0', 'e-1'])[1 + n % 2] END AS estimate) AS generated,
    LATERAL (SELECT CASE WHEN estimate IS NOT NULL THEN (ARRAY['failed', 'queued'])[1 + (n / 4) % 2]
      ELSE (ARRAY['completed', 'completed', 'processing', 'failed', 'queued'])[1 + n % 5] END AS status) AS came`;

const ACCOUNT = 'filtered';
const EPOCH = Date.UTC(2026, 0, 1);
/** Returns a time of the list: rows are half a second apart, two at each time. */
const at = (second: number) => new Date(EPOCH + second * 1_000).toISOString();

interface Row {
  readonly id: string;
  readonly status: OffsetStatus;
  readonly customer_ref: string | null;
  readonly estimate_id: string | null;
  readonly created_at: Date;
}

interface Filters {
  readonly status?: OffsetStatus | undefined;
  readonly customerRef?: string | undefined;
  readonly estimateId?: string | undefined;
  readonly createdFrom?: string | undefined;
  readonly createdTo?: string | undefined;
}

/** Applies the documented filters to every row. */
function passing(rows: readonly Row[], filters: Filters): string[] {
  return rows
    .filter(
      (row) =>
        (filters.status === undefined || row.status === filters.status) &&
        (filters.customerRef === undefined || row.customer_ref === filters.customerRef) &&
        (filters.estimateId === undefined || row.estimate_id === filters.estimateId) &&
        (filters.createdFrom === undefined || row.created_at >= new Date(filters.createdFrom)) &&
        (filters.createdTo === undefined || row.created_at < new Date(filters.createdTo)),
    )
    .map(({ id }) => id);
}

const queryOf = (parameters: object) => {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(given))}`;
};

describe('the list of offsets', () => {
  let service: TestService;
  let app: NestFastifyApplication;
  let rows: Row[];

  beforeAll(async () => {
    service = await TestService.create();
    // Without Kafka nothing is allocated, so that the offsets stay in their states; the list needs no Kafka.
    app = await service.launch({ KAFKA_BROKERS: ['127.0.0.1:1'] });
    const database = app.get(Database);
    await database.ready;
    // Like after a successful start check; without it, pages with unfinished offsets are refused.
    database.fence.hold(await readDatabaseState(database.query));
    await service.sql.query(INSERT_LISTED, [ACCOUNT, 240, at(0)]);
    await service.sql.query(INSERT_LISTED, ['another', 240, at(0)]);
    rows = await service.rows<Row>('SELECT * FROM offsets WHERE account = $1 ORDER BY created_at DESC, id DESC', [
      ACCOUNT,
    ]);
  });
  afterAll(() => service.close());

  const get = (query: string, account = ACCOUNT) =>
    app.inject({ url: `/v1/offsets${query}`, headers: callerHeaders(account) });
  const nextOf = (link: unknown) => /^<\/v1\/offsets(\?[^>]+)>; rel="next"$/.exec(String(link))?.[1];

  /** Follows the links through all pages. */
  const walk = async (query: string) => {
    const pages: string[][] = [];
    for (let next: string | undefined = query; next !== undefined; ) {
      const page = await get(next);
      expect(page.statusCode).toBe(200);
      pages.push(page.json<OffsetView[]>().map(({ id }) => id));
      next = nextOf(page.headers.link);
    }
    return pages;
  };

  it('contains exactly the offsets that match all filters, newest first, on pages of any size', async () => {
    const second = fc.integer({ min: -10, max: 130 });
    const parameters = fc
      .record({
        status: fc.option(fc.constantFrom(...OFFSET_STATUSES), { nil: undefined }),
        customerRef: fc.option(fc.constantFrom('u-0', 'u 1&x=%', 'nobody'), { nil: undefined }),
        estimateId: fc.option(fc.constantFrom('e-0', 'e-1', 'nothing'), { nil: undefined }),
        createdFrom: fc.option(second, { nil: undefined }),
        createdTo: fc.option(second, { nil: undefined }),
        limit: fc.integer({ min: 1, max: 100 }),
      })
      .filter(({ createdFrom: from, createdTo: to }) => from === undefined || to === undefined || from < to);
    await fc.assert(
      fc.asyncProperty(parameters, async ({ createdFrom, createdTo, limit, ...more }) => {
        const filters: Filters = {
          ...more,
          createdFrom: createdFrom === undefined ? undefined : at(createdFrom),
          createdTo: createdTo === undefined ? undefined : at(createdTo),
        };
        const pages = await walk(queryOf({ ...filters, limit }));
        expect(pages.flat()).toEqual(passing(rows, filters));
        for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit);
      }),
      { numRuns: 150 },
    );
    for (const status of OFFSET_STATUSES)
      expect(passing(rows, { status, customerRef: 'u-0' }).length).toBeGreaterThan(5);
    expect(passing(rows, { status: 'failed', estimateId: 'e-1', customerRef: 'u 1&x=%' }).length).toBeGreaterThan(5);
  });

  it('includes createdFrom and excludes createdTo, so that adjacent ranges contain every offset once', async () => {
    const range = async (from: number, to: number) =>
      (await walk(queryOf({ createdFrom: at(from), createdTo: at(to), limit: 100 }))).flat();
    const halves = [...(await range(50, 130)), ...(await range(0, 50))];
    expect(halves).toEqual(rows.map(({ id }) => id));
    const [edge] = await range(50, 50.001);
    expect(rows.find(({ id }) => id === edge)?.created_at).toEqual(new Date(at(50)));
    expect(await range(49.9, 50)).toEqual([]);
  });

  it('accepts times in any zone and of any precision', async () => {
    const first = async (createdFrom: string) =>
      (await walk(queryOf({ createdFrom, createdTo: at(50.001), limit: 100 }))).flat();
    expect(await first('2026-01-01T01:00:50+01:00')).toHaveLength(2);
    expect(await first('2026-01-01t00:00:50.000000z')).toHaveLength(2);
    expect(await first('2026-01-01T00:00:50.000000001Z')).toEqual([]);
    expect((await get(queryOf({ createdFrom: '0000-01-01T00:00:00Z' }))).json()).toHaveLength(20);
    expect((await get(queryOf({ createdFrom: '9999-12-31T23:59:59-01:00' }))).json()).toEqual([]);
  });

  it('contains every offset once while new ones arrive', async () => {
    const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + (n >> 1)).toISOString();
    const insert = (n: number) => request({ kgCO2e: n + 1 }, { account: 'many', createdAt: at(n) });
    const all = Array.from({ length: 25 }, (_, n) => insert(n));
    await service.record(app, all);
    const seen: string[] = [];
    for (let next: string | undefined = '?limit=4'; next !== undefined; ) {
      const page = await get(next, 'many');
      seen.push(...page.json<OffsetView[]>().map(({ id }) => id));
      next = nextOf(page.headers.link);
      await service.record(app, [insert(100 + seen.length)]);
    }
    const key = ({ id, createdAt }: { id: string; createdAt: string }) => `${createdAt} ${id}`;
    expect(seen).toEqual([...all].sort((a, b) => (key(a) < key(b) ? 1 : -1)).map(({ id }) => id));
  });

  it('has 20 offsets a page unless the caller sets a limit, and no link on the last page', async () => {
    const many = Array.from({ length: 21 }, () => request({ kgCO2e: 1 }, { account: 'pages' }));
    await service.record(app, many);
    expect((await get('', 'pages')).json()).toHaveLength(20);
    const last = await get('?limit=21', 'pages');
    expect(last.json()).toHaveLength(21);
    expect(last.headers.link).toBeUndefined();
  });

  it('repeats all filters in the link to the next page, which may be of another size', async () => {
    const filters = { status: 'failed', customerRef: 'u 1&x=%', createdFrom: at(0), createdTo: at(130) };
    const query = nextOf((await get(queryOf({ ...filters, limit: 2 }))).headers.link) ?? '';
    const next = new URLSearchParams(query);
    expect(Object.fromEntries(next)).toEqual({ ...filters, limit: '2', cursor: expect.any(String) });
    next.set('limit', '3');
    const page = await get(`?${next}`);
    expect(page.json<OffsetView[]>().map(({ id }) => id)).toEqual(passing(rows, filters as Filters).slice(2, 5));
  });

  it('refuses a cursor with other filters, in another account, or altered', async () => {
    const filters = { status: 'failed', customerRef: 'u-0' };
    const query = nextOf((await get(queryOf({ ...filters, limit: 1 }))).headers.link);
    const cursor = new URLSearchParams(query).get('cursor') ?? '';
    const others: readonly object[] = [
      {},
      { status: 'failed' },
      { customerRef: 'u-0' },
      { ...filters, status: 'queued' },
      { ...filters, customerRef: 'u-1' },
      { ...filters, estimateId: 'e-0' },
      { ...filters, createdFrom: at(0) },
      { ...filters, createdTo: at(130) },
    ];
    expect((await get(queryOf({ ...filters, cursor }))).statusCode).toBe(200);
    for (const other of others) {
      const answer = await get(queryOf({ ...other, cursor }));
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_cursor']);
    }
    for (const [altered, account] of [
      [cursor, 'another'],
      [`${cursor}x`, ACCOUNT],
      ['1', ACCOUNT],
    ]) {
      const answer = await get(queryOf({ ...filters, cursor: altered }), account);
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_cursor']);
    }
  });
});
