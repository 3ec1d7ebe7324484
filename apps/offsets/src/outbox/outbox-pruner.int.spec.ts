import { TestDatabase } from '../testing/database.js';
import { pruneOutbox } from './outbox-pruner.js';

const DAYS = 14;

describe('pruning the outbox', () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await TestDatabase.create();
    // A slot that is being vacuumed is skipped, and emptied an hour later.
    const slots = await test.rows<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'outbox'::regclass`,
    );
    for (const { name } of slots) await test.sql.query(`ALTER TABLE ${name} SET (autovacuum_enabled = false)`);
  });
  afterEach(() => test.close());

  /** Inserts this many published or unpublished events into the current slot. */
  const insert = (name: string, count: number, published = true) =>
    test.sql.query(
      `INSERT INTO outbox (event_id, offset_id, type, payload, published_at)
       SELECT $1 || n, n, 'offset.failed.v1', '{}', CASE WHEN $3 THEN now() END FROM generate_series(1, $2::integer) AS n`,
      [name, count, published],
    );
  const publish = (name: string) =>
    test.sql.query(`UPDATE outbox SET published_at = now() WHERE event_id LIKE $1 || '%'`, [name]);
  const left = async () =>
    Object.fromEntries(
      (
        await test.rows<{ name: string; n: number }>(
          `SELECT rtrim(event_id, '0123456789') AS name, count(*)::integer AS n FROM outbox GROUP BY 1`,
        )
      ).map(({ name, n }) => [name, n]),
    );
  /** Twice, like the hourly job: the first run may close a slot, the second finds all of its events published. */
  const prune = async (days = DAYS) => {
    await test.database.transaction((query) => pruneOutbox(query, days));
    await test.database.transaction((query) => pruneOutbox(query, days));
  };
  /** Simulates this many days for the slots. */
  const passed = (days: number) =>
    test.sql.query(
      `UPDATE outbox_slots
       SET opened_at = opened_at - $1 * interval '1 day', drained_at = drained_at - $1 * interval '1 day'`,
      [days],
    );
  const current = async () => (await test.rows<{ slot: number }>('SELECT current_outbox_slot() AS slot'))[0]?.slot;

  it('keeps published events for the retention, and little longer', async () => {
    await insert('old', 3);
    await passed(3);
    await prune();
    await insert('young', 2);
    await prune();
    await passed(13.99);
    await prune();
    expect(await left()).toEqual({ old: 3, young: 2 });
    await passed(0.02);
    await prune();
    expect(await left()).toEqual({ young: 2 });
    await passed(DAYS + 3);
    await prune();
    expect(await left()).toEqual({});
  });

  it('counts from the last publication in a slot, and never removes an unpublished event', async () => {
    await insert('sent', 3);
    await insert('late', 1, false);
    await passed(3);
    await prune();
    await passed(100);
    await prune();
    expect(await left()).toEqual({ sent: 3, late: 1 });
    await publish('late');
    await prune();
    await passed(13.9);
    await prune();
    expect(await left()).toEqual({ sent: 3, late: 1 });
    await passed(0.2);
    await prune();
    expect(await left()).toEqual({});
  });

  it('uses the slots in turn, and the current one longer while no other is free', async () => {
    const used: (number | undefined)[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      await insert(`turn ${turn} no `, 1);
      used.push(await current());
      await passed(2.4);
      await prune();
      expect(Object.keys(await left()).length).toBeLessThan(8);
    }
    expect(new Set(used).size).toBe(8);
    for (let turn = 0; turn < 20; turn += 1) {
      await insert(`unsent ${turn} no `, 1, false);
      await passed(20);
      await prune();
    }
    expect(Object.keys(await left()).filter((name) => name.startsWith('unsent'))).toHaveLength(20);
  });

  it('uses the configured retention', async () => {
    await insert('old', 1);
    await passed(1);
    await prune(1);
    await passed(1.1);
    await prune(2);
    expect(await left()).toEqual({ old: 1 });
    await prune(1);
    expect(await left()).toEqual({});
  });

  it('skips a slot that another transaction reads, and blocks no other transaction', async () => {
    await insert('old', 1);
    await passed(20);
    await prune();
    await passed(20);
    const reading = await test.sql.connect();
    await reading.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await reading.query('SELECT count(*) FROM outbox');
    await prune();
    expect(await left()).toEqual({ old: 1 });
    await reading.query('COMMIT');
    reading.release();
    await prune();
    expect(await left()).toEqual({});
  });

  it('is done once by several processes at the same time', async () => {
    await insert('old', 10);
    await passed(20);
    await Promise.all([prune(), prune(), prune()]);
    await passed(20);
    await Promise.all([prune(), prune(), prune()]);
    expect(await left()).toEqual({});
    const open = await test.rows('SELECT FROM outbox_slots WHERE opened_at IS NOT NULL AND drained_at IS NULL');
    expect(open).toHaveLength(1);
  });
});
