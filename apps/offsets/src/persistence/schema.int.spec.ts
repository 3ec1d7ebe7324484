import { OFFSET_STATUSES, type OffsetStatus } from '@carbon/contracts';
import { DataSource } from 'typeorm';
import { TRANSITIONS } from '../domain/offset-status.js';
import { TestDatabase } from '../testing/database.js';
import { dataSourceOptions } from './data-source.js';
import { setStatus } from './offset-rows.js';

let test: TestDatabase;
beforeAll(async () => {
  test = await TestDatabase.create();
});
afterAll(() => test.close());

describe('the schema', () => {
  it('is the same in the migrations and in the entities', async () => {
    const options = {
      url: test.url,
      applicationName: 'test',
      poolSize: 1,
      statementTimeoutMs: 5_000,
      session: 'direct',
      onIdleError: () => {},
    } as const;
    const source = await new DataSource(dataSourceOptions(options)).initialize();
    try {
      const { upQueries } = await source.driver.createSchemaBuilder().log();
      // Only the migrations contain the CHECK constraints: TypeORM would drop what the entities do not repeat.
      const differences = upQueries.map(({ query }) => query).filter((query) => !/ DROP CONSTRAINT /.test(query));
      expect(differences).toEqual([]);
    } finally {
      await source.destroy();
    }
  });

  it('allows only one supply rebuild at a time', async () => {
    await expect(test.sql.query('INSERT INTO supply_reading DEFAULT VALUES')).rejects.toThrow('supply_reading_pkey');
    await expect(test.sql.query('INSERT INTO supply_reading (single) VALUES (false)')).rejects.toThrow(
      'supply_reading_single',
    );
  });

  it('refuses to reserve more than is issued', async () => {
    await test.sql.query(
      `INSERT INTO supply (asset_id, type, active, published_issued, issued, version, brought_in)
       VALUES ('pool_scarce', 'POOL', true, 5, 5, 1, 1)`,
    );
    const change = (reserved: number) =>
      test.sql.query('UPDATE supply SET reserved = $1 WHERE asset_id = $2', [reserved, 'pool_scarce']);
    await expect(change(6)).rejects.toThrow('supply_not_oversold');
    await expect(change(-1)).rejects.toThrow('supply_not_negative');
    await change(5);
  });

  it('allows one offset per estimate, until that offset fails', async () => {
    const insert = (id: string, status: string) =>
      test.sql.query(
        `INSERT INTO offsets (id, account, status, kg_co2e, grams, fingerprint, estimate_id, cost_micros, created_at,
           updated_at, failed_at, failure_code, failure_detail)
         VALUES ($1, 'a', $2, 1, 1000, '', 'est_1', CASE WHEN $2 = 'processing' THEN 1 END, now(), now(),
           CASE WHEN $2 = 'failed' THEN now() END, CASE WHEN $2 = 'failed' THEN 'x' END,
           CASE WHEN $2 = 'failed' THEN 'x' END)`,
        [id, status],
      );
    await insert('off_a', 'queued');
    await insert('off_b', 'failed');
    await insert('off_c', 'processing');
    await expect(insert('off_d', 'processing')).rejects.toThrow('offsets_estimate_once');
    await test.sql.query('DELETE FROM offsets');
  });
});

describe('the retirement ledger', () => {
  const insert = (sequence: number, offset: string) =>
    test.sql.query(
      `INSERT INTO ledger (asset_id, sequence, offset_id, grams, price_micros, at, hash)
       VALUES ('pool_a', $1, $2, 1, 1, now(), decode(repeat('00', 32), 'hex'))`,
      [sequence, offset],
    );
  beforeAll(async () => {
    await insert(1, 'off_a');
    await test.sql.query(
      `INSERT INTO ledger_gaps (asset_id, first_sequence, last_sequence, last_hash)
       VALUES ('pool_a', 2, 3, decode(repeat('00', 32), 'hex'))`,
    );
  });

  it.each([
    'UPDATE ledger SET grams = 2',
    'DELETE FROM ledger',
    'TRUNCATE ledger',
    'TRUNCATE ledger, supply',
    'UPDATE ledger_gaps SET last_sequence = 9',
    'DELETE FROM ledger_gaps',
    'TRUNCATE ledger_gaps',
  ])('refuses %s', async (statement) => {
    await expect(test.sql.query(statement)).rejects.toThrow('the retirement ledger is append-only');
    expect(await test.rows('SELECT grams FROM ledger')).toEqual([{ grams: '1' }]);
  });

  it('has one entry per sequence number of a chain, and one entry per offset and asset', async () => {
    await expect(insert(1, 'off_b')).rejects.toThrow('ledger_pkey');
    await expect(insert(2, 'off_a')).rejects.toThrow('ledger_once');
  });
});

describe('the status transitions in the database', () => {
  /**
   * The columns that the table's CHECK constraints require in each state, so that an error can only come from the
   * trigger.
   */
  const COLUMNS_BY_STATUS: Readonly<Record<OffsetStatus, string>> = {
    queued: 'cost_micros = NULL, completed_at = NULL, failed_at = NULL, failure_code = NULL, failure_detail = NULL',
    processing: 'cost_micros = 1, completed_at = NULL, failed_at = NULL, failure_code = NULL, failure_detail = NULL',
    completed: 'cost_micros = 1, completed_at = now(), failed_at = NULL, failure_code = NULL, failure_detail = NULL',
    failed: `cost_micros = NULL, completed_at = NULL, failed_at = now(), failure_code = 'x', failure_detail = 'x'`,
  };
  /** The same without the dates, which the transition sets. */
  const undated = (status: OffsetStatus) => COLUMNS_BY_STATUS[status].replace(/(completed|failed)_at = now\(\),/, '');
  const DATES = { queued: 'created_at', processing: 'processing_at', completed: 'completed_at', failed: 'failed_at' };
  const isTransition = (from: OffsetStatus, to: OffsetStatus) =>
    TRANSITIONS.some((one) => one.from === from && one.to === to);
  /** The transitions by which a queued offset reaches each state. */
  const STEPS: Readonly<Record<OffsetStatus, readonly OffsetStatus[]>> = {
    queued: [],
    processing: ['processing'],
    completed: ['processing', 'completed'],
    failed: ['failed'],
  };
  afterEach(() => test.sql.query('DELETE FROM offsets'));

  let count = 0;
  /** Inserts queued offsets that were accepted this many seconds ago. */
  const insert = async (seconds = 0, many = 1) => {
    count += 1;
    await test.sql.query(
      `INSERT INTO offsets (id, account, status, kg_co2e, grams, fingerprint, created_at, updated_at)
       SELECT $1 || '_' || n, 'default', 'queued', 1, 1000, '', at, greatest(now(), at)
       FROM generate_series(1, $2) AS n, (SELECT now() - $3 * interval '1 s' AS at)`,
      [`off_${count}`, many, seconds],
    );
    return `off_${count}_1`;
  };
  const move = (id: string, from: OffsetStatus, ...through: OffsetStatus[]) =>
    test.sql.query(
      `UPDATE offsets SET ${setStatus(from, ...through)}, ${undated(through.at(-1) ?? from)} WHERE id = $1`,
      [id],
    );
  const force = (id: string, status: OffsetStatus) =>
    test.sql.query(`UPDATE offsets SET status = '${status}', ${COLUMNS_BY_STATUS[status]} WHERE id = $1`, [id]);
  const rowOf = async (id: string) =>
    (await test.rows<Record<string, Date>>('SELECT * FROM offsets WHERE id = $1', [id]))[0];

  it('are exactly those in TRANSITIONS, and each sets its timestamp to that of the update', async () => {
    for (const from of OFFSET_STATUSES) {
      for (const to of OFFSET_STATUSES) {
        for (const age of [-3_600, 3_600]) {
          const id = await insert(age);
          let status: OffsetStatus = 'queued';
          for (const next of STEPS[from]) {
            await move(id, status, next);
            status = next;
          }
          const before = await rowOf(id);
          const guarded = { constraint: 'offsets_moves', code: '23001' };
          if (!isTransition(from, to)) {
            await expect(force(id, to)).rejects.toMatchObject(guarded);
            expect(await rowOf(id)).toEqual(before);
            continue;
          }
          await move(id, from, to);
          const { [DATES[to]]: changed, ...after } = (await rowOf(id)) ?? {};
          expect(changed).toEqual(after.updated_at);
          expect(Math.abs((changed?.getTime() ?? 0) - Date.now())).toBeLessThan(600_000);
          expect(after).toMatchObject({
            status: to,
            [DATES[from]]: before?.[DATES[from]],
            created_at: before?.created_at,
          });
        }
      }
    }
  });

  it('can be two in one update, through processing, if both timestamps are set', async () => {
    const [id, other] = [await insert(), await insert()];
    await move(id, 'queued', 'processing', 'completed');
    const row = await rowOf(id);
    const at = row?.completed_at;
    expect(row).toMatchObject({ status: 'completed', processing_at: at, updated_at: at });
    const both = setStatus('queued', 'processing', 'completed');
    const undatedMove = both.replace(/processing_at = [^=]+, (?=completed_at)/, '');
    expect(undatedMove).not.toBe(both);
    const skipped = test.sql.query(`UPDATE offsets SET ${undatedMove}, ${undated('completed')} WHERE id = $1`, [other]);
    await expect(skipped).rejects.toMatchObject({ constraint: 'offsets_moves' });
    await expect(force(id, 'failed')).rejects.toMatchObject({ constraint: 'offsets_moves' });
  });

  it('are refused for the whole statement when one of many rows may not make the transition', async () => {
    const id = await insert(0, 500);
    await move(id, 'queued', 'failed');
    const all = test.sql.query(`UPDATE offsets SET status = 'processing', ${COLUMNS_BY_STATUS.processing}`);
    await expect(all).rejects.toMatchObject({ message: `offset ${id} cannot move from failed to processing` });
    expect(await test.counts()).toEqual({ failed: 1, queued: 499 });
  });
});
