import { OFFSET_STATUSES, type OffsetStatus, type OffsetView } from '@carbon/contracts';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import fc from 'fast-check';
import { Database } from '../persistence/database.js';
import { readDatabaseState } from '../persistence/fence.js';
import { asks, TestService } from '../test-service.js';
import { INSERT_LISTED } from './test-listed.js';

const ACCOUNT = 'filtered';
const EPOCH = Date.UTC(2026, 0, 1);
/** A time of the list: rows are half a second apart, two at each. */
const at = (second: number) => new Date(EPOCH + second * 1_000).toISOString();

interface Row {
  readonly id: string;
  readonly status: OffsetStatus;
  readonly customer_ref: string | null;
  readonly estimate_id: string | null;
  readonly created_at: Date;
}

interface Asked {
  readonly status?: OffsetStatus | undefined;
  readonly customerRef?: string | undefined;
  readonly estimateId?: string | undefined;
  readonly createdFrom?: string | undefined;
  readonly createdTo?: string | undefined;
}

/** What the documents say of the filters, over every row. */
function passing(rows: readonly Row[], asked: Asked): string[] {
  return rows
    .filter(
      (row) =>
        (asked.status === undefined || row.status === asked.status) &&
        (asked.customerRef === undefined || row.customer_ref === asked.customerRef) &&
        (asked.estimateId === undefined || row.estimate_id === asked.estimateId) &&
        (asked.createdFrom === undefined || row.created_at >= new Date(asked.createdFrom)) &&
        (asked.createdTo === undefined || row.created_at < new Date(asked.createdTo)),
    )
    .map(({ id }) => id);
}

const queryOf = (parameters: object) => {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(given))}`;
};

describe('the filters of GET /v1/offsets', () => {
  let service: TestService;
  let app: NestFastifyApplication;
  let rows: Row[];

  beforeAll(async () => {
    service = await TestService.create();
    // Out of reach of Kafka nothing is allocated, so that the offsets stay in their states; the list needs no Kafka.
    app = await service.launch({ KAFKA_BROKERS: ['127.0.0.1:1'] });
    const database = app.get(Database);
    await database.ready;
    // As after a start check that passed: without one, pages with unfinished offsets are refused.
    database.fence.hold(await readDatabaseState(database.query));
    await service.sql.query(INSERT_LISTED, [ACCOUNT, 240, at(0)]);
    await service.sql.query(INSERT_LISTED, ['another', 240, at(0)]);
    rows = await service.rows<Row>('SELECT * FROM offsets WHERE account = $1 ORDER BY created_at DESC, id DESC', [
      ACCOUNT,
    ]);
  });
  afterAll(() => service.close());

  const get = (query: string, account = ACCOUNT) => app.inject({ url: `/v1/offsets${query}`, headers: asks(account) });
  const nextOf = (link: unknown) => /^<\/v1\/offsets(\?[^>]+)>; rel="next"$/.exec(String(link))?.[1];

  /** All pages, one after the other by their links. */
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

  it('give exactly what passes all of them, newest first, on pages of any size', async () => {
    const second = fc.integer({ min: -10, max: 130 });
    const asked = fc
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
      fc.asyncProperty(asked, async ({ createdFrom, createdTo, limit, ...more }) => {
        const filters: Asked = {
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
  });

  it('find something for every status, reference and estimate, and for two of them', () => {
    for (const status of OFFSET_STATUSES)
      expect(passing(rows, { status, customerRef: 'u-0' }).length).toBeGreaterThan(5);
    expect(passing(rows, { status: 'failed', estimateId: 'e-1', customerRef: 'u 1&x=%' }).length).toBeGreaterThan(5);
    expect(passing(rows, { estimateId: 'e-0', createdFrom: at(20), createdTo: at(40) }).length).toBeGreaterThan(5);
  });

  it('begin with createdFrom and end before createdTo, so that ranges side by side give every offset once', async () => {
    const range = async (from: number, to: number) =>
      (await walk(queryOf({ createdFrom: at(from), createdTo: at(to), limit: 100 }))).flat();
    const halves = [...(await range(50, 130)), ...(await range(0, 50))];
    expect(halves).toEqual(rows.map(({ id }) => id));
    const [edge] = await range(50, 50.001);
    expect(rows.find(({ id }) => id === edge)?.created_at).toEqual(new Date(at(50)));
    expect(await range(49.9, 50)).toEqual([]);
  });

  it('take a time in any zone, and more exactly than any offset has', async () => {
    const first = async (createdFrom: string) =>
      (await walk(queryOf({ createdFrom, createdTo: at(50.001), limit: 100 }))).flat();
    expect(await first('2026-01-01T01:00:50+01:00')).toHaveLength(2);
    expect(await first('2026-01-01t00:00:50.000000z')).toHaveLength(2);
    expect(await first('2026-01-01T00:00:50.000000001Z')).toEqual([]);
    expect((await get(queryOf({ createdFrom: '0000-01-01T00:00:00Z' }))).json()).toHaveLength(20);
    expect((await get(queryOf({ createdFrom: '9999-12-31T23:59:59-01:00' }))).json()).toEqual([]);
  });

  it('stand in the link to the next page, all of them, and a page may be of another size', async () => {
    const asked = { status: 'failed', customerRef: 'u 1&x=%', createdFrom: at(0), createdTo: at(130) };
    const query = nextOf((await get(queryOf({ ...asked, limit: 2 }))).headers.link) ?? '';
    const next = new URLSearchParams(query);
    expect(Object.fromEntries(next)).toEqual({ ...asked, limit: '2', cursor: expect.any(String) });
    next.set('limit', '3');
    const page = await get(`?${next}`);
    expect(page.json<OffsetView[]>().map(({ id }) => id)).toEqual(passing(rows, asked as Asked).slice(2, 5));
  });

  it('are part of the cursor: with others, or in another account, it is none', async () => {
    const asked = { status: 'failed', customerRef: 'u-0' };
    const query = nextOf((await get(queryOf({ ...asked, limit: 1 }))).headers.link);
    const cursor = new URLSearchParams(query).get('cursor') ?? '';
    const others: readonly object[] = [
      {},
      { status: 'failed' },
      { customerRef: 'u-0' },
      { ...asked, status: 'queued' },
      { ...asked, customerRef: 'u-1' },
      { ...asked, estimateId: 'e-0' },
      { ...asked, createdFrom: at(0) },
      { ...asked, createdTo: at(130) },
    ];
    expect((await get(queryOf({ ...asked, cursor }))).statusCode).toBe(200);
    for (const other of others) {
      const answer = await get(queryOf({ ...other, cursor }));
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_cursor']);
    }
    const answer = await get(queryOf({ ...asked, cursor }), 'another');
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_cursor']);
  });

  it('are refused where they are wrong, all at once, as a problem', async () => {
    const answer = await get('?status=done&createdFrom=2026-01-01&estimateID=e');
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      400,
      expect.stringContaining('application/problem+json'),
    ]);
    expect(answer.json()).toMatchObject({
      code: 'invalid_request',
      errors: [
        { field: 'status', code: 'invalid_parameter' },
        { field: 'createdFrom', code: 'invalid_parameter' },
        { field: 'estimateID', code: 'unknown_parameter', suggestion: 'estimateId' },
      ],
    });
  });
});
