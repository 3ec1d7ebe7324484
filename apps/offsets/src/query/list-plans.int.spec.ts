import { OFFSET_STATUSES } from '@carbon/contracts';
import { Cursors } from '@carbon/http';
import pg from 'pg';
import { TestDatabase } from '../testing/database.js';
import { pool } from '../testing/events.js';
import { OffsetPager, parseListQuery } from './offset-pager.js';
import { type Filters, type PageSelection, pageStatement, rowsOf } from './page-statement.js';

const ROWS = 40_000;
const LIMIT = 21;
/** The pages of the database that a response may touch: its rows, and one descent of an index for each state. */
const MAX_PAGES = 4 * (LIMIT + 8);

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Node[];
}

const TIMES = { createdFrom: '2026-01-01T02:00:00Z', createdTo: '2026-01-01T10:00:00Z' };
/** No offset has both values, although half of all have one and half the other, which misleads the statistics. */
const CONTRARY = { customerRef: 'even', status: 'failed' } as const;
const STATUSES = [undefined, ...OFFSET_STATUSES];
const QUESTIONS: readonly Filters[] = [undefined, 'even', 'rare', 'none'].flatMap((customerRef) =>
  [undefined, 'common', 'rare', 'none'].flatMap((estimateId) =>
    STATUSES.flatMap((status) =>
      [{}, TIMES].map((times) => ({
        ...(customerRef !== undefined && { customerRef }),
        ...(estimateId !== undefined && { estimateId }),
        ...(status !== undefined && { status }),
        ...times,
      })),
    ),
  ),
);

function indexOf({ status, customerRef, estimateId }: Filters): string {
  if (customerRef !== undefined && estimateId !== undefined) return 'offsets_by_estimate_and_customer_ref';
  if (customerRef !== undefined) return 'offsets_by_customer_ref';
  if (estimateId !== undefined) return 'offsets_by_estimate';
  return status === undefined ? 'offsets_by_account' : 'offsets_by_status';
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

let test: TestDatabase;
beforeEach(async () => {
  test = await TestDatabase.create();
});
afterEach(() => test.close());

describe('a page of the list', () => {
  const explain = async (question: PageSelection) => {
    const { sql, parameters } = pageStatement(question);
    const [row] = await test.database.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
      parameters,
    );
    return row?.['QUERY PLAN'][0].Plan as Node;
  };

  /** Plans as a session plans a statement that it has prepared and run often: for any parameters. */
  const explainPrepared = (question: PageSelection) =>
    test.database.transaction(async (query) => {
      const { sql, parameters, order } = rowsOf(pageStatement(question));
      const values = parameters.map((value) => pg.escapeLiteral(String(value))).join(', ');
      await query('SET LOCAL plan_cache_mode = force_generic_plan');
      await query(`PREPARE page AS ${sql} ORDER BY ${order}`);
      const [row] = await query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE page(${values})`,
      );
      await query('DEALLOCATE page');
      return row?.['QUERY PLAN'][0].Plan as Node;
    });

  const expectPreparedBounded = async (question: PageSelection) => {
    const plan = await explainPrepared(question);
    for (const node of nodesOf(plan)) {
      const { 'Node Type': type, 'Relation Name': table, 'Index Name': index } = node;
      expect(type).not.toMatch(/Seq Scan|Hash/);
      if (table === 'offsets') expect([index, type]).toEqual([indexOf(question.filters), 'Index Scan']);
      // The ledger entries of one offset are so few that a bitmap of its index is as good.
      if (type === 'Bitmap Index Scan') expect(index).toBe('ledger_once');
      expect(node['Actual Rows']).toBeLessThanOrEqual(LIMIT * OFFSET_STATUSES.length);
      expect(node['Rows Removed by Filter'] ?? 0).toBeLessThanOrEqual(1);
    }
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(2 * MAX_PAGES);
  };

  const expectBounded = async (question: PageSelection) => {
    const plan = await explain(question);
    const nodes = nodesOf(plan);
    const scans = nodes.filter((node) => node['Node Type'].includes('Scan') && node['Node Type'] !== 'Subquery Scan');
    expect(scans.length).toBeGreaterThan(0);
    for (const scan of scans) {
      expect(scan).toMatchObject({ 'Node Type': 'Index Scan', 'Index Name': indexOf(question.filters) });
      expect(scan['Rows Removed by Filter'] ?? 0).toBe(0);
      expect(scan['Actual Rows']).toBeLessThanOrEqual(LIMIT);
    }
    for (const { 'Node Type': type, 'Actual Rows': count } of nodes) {
      // The index ranges of the states are merged, so at most this many pages of rows are read.
      if (type.includes('Sort')) expect(count).toBeLessThanOrEqual(LIMIT * OFFSET_STATUSES.length);
    }
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(MAX_PAGES);
  };

  it('reads only its rows, by the index of its filters, whatever the statistics are', async () => {
    await test.sql.query('ALTER TABLE offsets SET (autovacuum_enabled = off)');
    await test.sql.query(
      `INSERT INTO offsets (id, account, status, kg_co2e, grams, fingerprint, estimate_id, customer_ref, cost_micros,
         failure_code, failure_detail, created_at, updated_at, completed_at, failed_at)
       SELECT 'off_' || lpad(n::text, 10, '0'), 'default', status, 1, 1000, repeat('0', 64),
         CASE WHEN n % 10007 = 0 THEN 'rare' WHEN status = 'failed' THEN 'common' END,
         CASE WHEN n % 4999 = 0 THEN 'rare' WHEN n % 2 = 0 THEN 'even' END,
         CASE WHEN status = 'completed' THEN 1 END, CASE WHEN status = 'failed' THEN 'estimate_used' END,
         CASE WHEN status = 'failed' THEN '' END, at, at, CASE WHEN status = 'completed' THEN at END,
         CASE WHEN status = 'failed' THEN at END
       FROM generate_series(1, ${ROWS}) AS n,
         LATERAL (SELECT timestamptz '2026-01-01T00:00:00Z' + n * interval '1 s' AS at,
           CASE WHEN n % 2 = 1 THEN 'failed' WHEN n % 10007 = 0 THEN 'queued' ELSE 'completed' END AS status)`,
    );
    const NO_STATISTICS = 'SELECT 1';
    const OF_AN_EMPTY_TABLE = `UPDATE pg_class SET reltuples = 0 WHERE relname = 'offsets'`;
    for (const statistics of [NO_STATISTICS, 'ANALYZE offsets', OF_AN_EMPTY_TABLE]) {
      await test.sql.query(statistics);
      for (const filters of QUESTIONS) {
        await expectBounded({ account: 'default', filters, after: undefined, limit: LIMIT });
        const after = { createdAt: '2026-01-01T05:00:00.000Z', id: 'off_0000018000' };
        await expectBounded({ account: 'default', filters, after, limit: LIMIT });
        await expectPreparedBounded({ account: 'default', filters, after, limit: LIMIT });
      }
    }
    const nothing = await explain({ account: 'default', filters: CONTRARY, after: undefined, limit: LIMIT });
    expect(nothing['Actual Rows']).toBe(0);
    expect(nothing['Shared Hit Blocks'] + nothing['Shared Read Blocks']).toBeLessThan(8);
  }, 240_000);

  it('fits the longest references into every index', async () => {
    // Four bytes a character, and not compressible.
    const long = (salt: string) =>
      `(SELECT string_agg(chr(65536 + (('x' || substr(md5('${salt}' || n), 1, 5))::bit(20)::integer % 900000)), '')
        FROM generate_series(1, 256) AS n)`;
    await test.sql.query(
      `INSERT INTO offsets (id, account, status, kg_co2e, grams, fingerprint, estimate_id, customer_ref, created_at, updated_at)
       SELECT 'off_' || repeat('z', 26), repeat('a', 64), 'queued', 1, 1000, repeat('0', 64), ${long('e')}, ${long('c')},
         now(), now()`,
    );
    const [row] = await test.rows(`SELECT octet_length(customer_ref) AS bytes FROM offsets WHERE account <> 'default'`);
    expect(row).toEqual({ bytes: 1024 });
  });

  /** Completes an offset with this many lines: a kilogram of each pool. */
  const complete = async (round: number, lines: number) => {
    await test.recordAssets(Array.from({ length: lines }, (_, n) => pool(`r${round}n${n}`, { issued: 0.001 })));
    const createdAt = new Date(Date.now() - 60_000 + round).toISOString();
    const id = await test.queueOne({ kgCO2e: lines }, { createdAt });
    await test.completeQueued();
    expect(await test.outcome(id)).toBe('completed');
    return id;
  };

  it('ends early where its offsets have very many lines, with at least one offset and a link', async () => {
    const LINES = 1_600;
    const ids: string[] = [];
    for (const [round, lines] of [501, 2_500, LINES, LINES, 1].entries()) ids.unshift(await complete(round, lines));
    const pager = new OffsetPager(test.ownRows, new Cursors(['c'.repeat(32)]));
    const pages: string[][] = [];
    for (let url: string | undefined = '/v1/offsets?limit=100'; url !== undefined; ) {
      const { offsets, link } = await pager.page('default', parseListQuery(url));
      pages.push(offsets.map(({ id }) => id));
      for (const { creditsMatched, credits } of offsets) expect(creditsMatched).toBe(credits);
      url = /^<([^>]+)>/.exec(link ?? '')?.[1];
    }
    expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 3), ids.slice(3, 4), ids.slice(4)]);
  });
});
