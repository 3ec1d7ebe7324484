import { OFFSET_STATUSES, type OffsetStatus } from '@carbon/contracts';
import fc from 'fast-check';
import { MOVES } from '../domain/offset-status.js';
import { TestDatabase } from '../test-database.js';
import { pool } from '../test-events.js';
import { moveTo } from './move-to.js';

/** What the checks of the table ask of a row in each state, so that a refusal can only be the guard's. */
const FACTS: Readonly<Record<OffsetStatus, string>> = {
  queued: 'cost_micros = NULL, completed_at = NULL, failed_at = NULL, failure_code = NULL, failure_detail = NULL',
  processing: 'cost_micros = 1, completed_at = NULL, failed_at = NULL, failure_code = NULL, failure_detail = NULL',
  completed: 'cost_micros = 1, completed_at = now(), failed_at = NULL, failure_code = NULL, failure_detail = NULL',
  failed: `cost_micros = NULL, completed_at = NULL, failed_at = now(), failure_code = 'x', failure_detail = 'x'`,
};
/** The same, but for the dates: those are the move's. */
const undated = (status: OffsetStatus) => FACTS[status].replace(/(completed|failed)_at = now\(\),/, '');
const DATES = { queued: 'created_at', processing: 'processing_at', completed: 'completed_at', failed: 'failed_at' };
const isMove = (from: OffsetStatus, to: OffsetStatus) => MOVES.some((move) => move.from === from && move.to === to);
/** How a queued offset comes to be in each state. */
const WAYS: Readonly<Record<OffsetStatus, readonly OffsetStatus[]>> = {
  queued: [],
  processing: ['processing'],
  completed: ['processing', 'completed'],
  failed: ['failed'],
};
const PAIRS = OFFSET_STATUSES.flatMap((from) => OFFSET_STATUSES.map((to) => ({ from, to, allowed: isMove(from, to) })));

describe('the moves of an offset in the database', () => {
  let test: TestDatabase;
  let count = 0;
  beforeAll(async () => {
    test = await TestDatabase.create();
  });
  afterAll(() => test.close());

  /** Queued offsets, accepted so many seconds ago. */
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
  const set = (id: string, status: OffsetStatus) =>
    test.sql.query(`UPDATE offsets SET status = '${status}', ${FACTS[status]} WHERE id = $1`, [id]);
  const rowOf = async (id: string) => {
    const [row] = await test.rows<Record<string, Date | null> & { status: OffsetStatus }>(
      'SELECT * FROM offsets WHERE id = $1',
      [id],
    );
    return row ?? missing(id);
  };

  it.each(PAIRS)('from $from to $to: allowed is $allowed, as in the table', async ({ from, to, allowed }) => {
    const id = await insert();
    for (const status of WAYS[from]) await set(id, status);
    const moving = set(id, to);
    if (allowed) await moving;
    else await expect(moving).rejects.toMatchObject({ constraint: 'offsets_moves', code: '23001' });
    expect((await rowOf(id)).status).toBe(allowed ? to : from);
    await test.sql.query('DELETE FROM offsets');
  });

  it('may be two in one, through processing, as long as both are dated', async () => {
    const [id, other] = [await insert(), await insert()];
    const both = moveTo('queued', 'processing', 'completed');
    await test.sql.query(`UPDATE offsets SET ${both}, ${undated('completed')} WHERE id = $1`, [id]);
    const row = await rowOf(id);
    expect(row).toMatchObject({ status: 'completed', processing_at: row.completed_at, updated_at: row.completed_at });
    const undatedMove = both.replace(/processing_at = [^=]+, (?=completed_at)/, '');
    expect(undatedMove).not.toBe(both);
    const skipped = test.sql.query(`UPDATE offsets SET ${undatedMove}, ${undated('completed')} WHERE id = $1`, [other]);
    await expect(skipped).rejects.toMatchObject({ constraint: 'offsets_moves' });
    await expect(set(id, 'failed')).rejects.toMatchObject({ constraint: 'offsets_moves' });
    await test.sql.query('DELETE FROM offsets');
  });

  it('refuses the whole statement when one row of many would move where it cannot', async () => {
    const id = await insert(0, 500);
    await test.sql.query(`UPDATE offsets SET ${moveTo('queued', 'failed')}, ${undated('failed')} WHERE id = $1`, [id]);
    const all = test.sql.query(`UPDATE offsets SET status = 'processing', ${FACTS.processing}`);
    await expect(all).rejects.toMatchObject({ message: `offset ${id} cannot move from failed to processing` });
    expect(await test.counts()).toEqual({ failed: 1, queued: 499 });
    await test.sql.query('DELETE FROM offsets');
  });

  it('are never those out of completed and failed, are each dated, and date the change of the row, in any order', async () => {
    const targets = fc.array(fc.constantFrom(...OFFSET_STATUSES), { minLength: 1, maxLength: 6 });
    const seconds = fc.integer({ min: -3_600, max: 3_600 });
    await fc.assert(
      fc.asyncProperty(targets, seconds, async (sequence, age) => {
        const id = await insert(age);
        let status: OffsetStatus = 'queued';
        for (const to of sequence) {
          const before = await rowOf(id);
          const move = isMove(status, to)
            ? test.sql.query(`UPDATE offsets SET ${moveTo(status, to)}, ${undated(to)} WHERE id = $1`, [id])
            : set(id, to);
          const moved = await move.then(
            () => true,
            () => false,
          );
          expect(moved).toBe(isMove(status, to));
          const after = await rowOf(id);
          if (!moved) expect(after).toEqual(before);
          else {
            const changed = after[DATES[to]] as Date;
            expect(changed).toEqual(after.updated_at);
            expect(Math.abs(changed.getTime() - Date.now())).toBeLessThan(600_000);
            expect({ ...after, [DATES[to]]: null }).toMatchObject({
              ...(status !== 'queued' && { [DATES[status]]: before[DATES[status]] }),
              created_at: before.created_at,
              status: to,
            });
            status = to;
          }
        }
      }),
      { numRuns: 60 },
    );
    await test.sql.query('DELETE FROM offsets');
  });

  it('are dated by the service: when credits were reserved, and when they were retired', async () => {
    await test.bring([pool('a')]);
    const [id] = (await test.ask(1)) as [string];
    const claim = await test.reserveCredits.run();
    const { processing_at: reserved, updated_at: changed } = await rowOf(id);
    expect(reserved).toEqual(changed);
    await test.retireOffsets.run(claim ?? missing('nothing was reserved'));
    const row = await rowOf(id);
    expect(row).toMatchObject({ status: 'completed', processing_at: reserved, updated_at: row.completed_at });
    expect(row.completed_at?.getTime()).toBeGreaterThanOrEqual(reserved?.getTime() ?? Number.NaN);
    await test.sql.query('DELETE FROM offsets');
  });

  it('cost nothing to guard: for moves that are allowed the trigger is never called, and nothing more is written', async () => {
    await insert(0, 500);
    await test.sql.query('CHECKPOINT');
    const written = async (guard: 'ENABLE' | 'DISABLE') => {
      const sql = await test.sql.connect();
      try {
        // Once before it counts: the first change of a page after a checkpoint writes the whole of it.
        for (const counts of [false, true]) {
          await sql.query('BEGIN');
          await sql.query(`ALTER TABLE offsets ${guard} TRIGGER offsets_moves`);
          const { rows } = await sql.query<{ 'QUERY PLAN': [Plan] }>(
            `EXPLAIN (ANALYZE, WAL, FORMAT JSON) UPDATE offsets SET ${moveTo('queued', 'processing')}, cost_micros = 1`,
          );
          await sql.query('ROLLBACK');
          await sql.query('VACUUM offsets');
          const [plan] = rows[0]?.['QUERY PLAN'] ?? [];
          if (counts && plan) return { triggers: plan.Triggers, records: plan.Plan['WAL Records'] };
        }
        throw new Error('there was no plan');
      } finally {
        sql.release();
      }
    };
    const [guarded, unguarded] = [await written('ENABLE'), await written('DISABLE')];
    expect(guarded.triggers).toEqual([]);
    // But for the odd page that was tidied up: a lock of each row, as a trigger before the change takes, would be 500 more.
    expect(Math.abs(guarded.records - unguarded.records)).toBeLessThan(50);
  });
});

interface Plan {
  readonly Triggers: readonly object[];
  readonly Plan: { readonly 'WAL Records': number };
}

function missing(what: string): never {
  throw new Error(what);
}
