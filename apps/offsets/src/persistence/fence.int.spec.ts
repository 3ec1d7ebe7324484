import { randomUUID } from 'node:crypto';
import { markPublished, type OutboxRow } from '../outbox/outbox-rows.js';
import { TestDatabase } from '../testing/database.js';
import { pool } from '../testing/events.js';
import { verifyAnotherServer } from '../testing/open-database.js';
import { FenceLost, readDatabaseState } from './fence.js';
import { type OutcomePosition } from './outcome-positions.js';

describe('the fence around a database that was verified', () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await TestDatabase.create();
    await test.recordAssets([pool('a')]);
  });
  afterEach(() => test.close());

  const decide = async () => {
    await test.queue(1, 2);
    await test.path().completeQueued();
  };
  const traces = async () => [
    await test.counts(),
    await test.rows('SELECT event_id FROM outbox'),
    await test.rows('SELECT asset_id FROM ledger'),
  ];

  it('lets outcomes be decided while it holds', async () => {
    await decide();
    expect(await test.counts()).toEqual({ completed: 2 });
    expect(test.database.fence.isHeld).toBe(true);
  });

  describe.each([
    ['another server answers', (held: { epoch: string }) => ({ server: '1.5', epoch: held.epoch })],
    ['another process has recovered', (held: { server: string }) => ({ server: held.server, epoch: '0' })],
  ])('once %s', (_, change) => {
    beforeEach(async () => test.database.fence.hold(change(await readDatabaseState(test.database.query))));

    it('lets nothing be decided, and is let go', async () => {
      await expect(decide()).rejects.toThrow(FenceLost);
      expect(await traces()).toEqual([{ queued: 2 }, [], []]);
      expect(test.database.fence.isHeld).toBe(false);
      await expect(decide()).rejects.toThrow(FenceLost);
    });

    it('lets nothing be reserved', async () => {
      await test.queue(1);
      await expect(test.reserveCredits.run()).rejects.toThrow(FenceLost);
      expect(await test.counts()).toEqual({ queued: 1 });
      expect(await test.rows('SELECT asset_id FROM reservations')).toEqual([]);
    });

    it('lets nothing be estimated', async () => {
      await expect(test.estimate(1)).rejects.toThrow(FenceLost);
      expect(await test.rows('SELECT id FROM estimates')).toEqual([]);
    });
  });

  it('lets nothing be decided while a process recovers', async () => {
    await test.sql.query('UPDATE database_state SET recovering = true, recovering_since = now()');
    await expect(decide()).rejects.toThrow(FenceLost);
    expect(await traces()).toEqual([{ queued: 2 }, [], []]);
  });

  it('lets nothing be decided before it is verified', async () => {
    test.database.fence.release();
    await expect(decide()).rejects.toThrow('being compared with the published outcomes');
  });

  describe('around a mark', () => {
    type Positions = readonly OutcomePosition[];
    const position = (at: bigint, partition = 0) => ({ topicId: 'cluster/topic', partition, position: at });
    const leased = async () => {
      await decide();
      const token = randomUUID();
      await test.sql.query(`UPDATE outbox SET lease_token = $1, lease_until = now() + interval '1 h'`, [token]);
      return { token, rows: await test.rows<OutboxRow>('SELECT * FROM outbox') };
    };
    const mark = (token: string, rows: readonly OutboxRow[], confirmed: Positions, known: Positions = []) =>
      markPublished(test.database.query, { fence: test.database.fence.required(), token, rows }, confirmed, known);
    const stored = () => test.rows('SELECT partition, position FROM outcome_positions ORDER BY partition');

    it('stores the positions with it, and takes none back', async () => {
      const { token, rows } = await leased();
      const positions = [position(7n), position(3n, 1)];
      await mark(token, rows, positions);
      await mark(token, [], [position(5n)], positions);
      expect(await stored()).toEqual([
        { partition: 0, position: '7' },
        { partition: 1, position: '3' },
      ]);
      expect(await test.unmarked()).toBe(0);
    });

    it.each([
      ['lower', 6n],
      ['no', undefined],
    ])('changes nothing where the database holds %s positions than it did', async (_, before) => {
      const { token, rows } = await leased();
      const positions = before === undefined ? [] : [position(before)];
      await mark(token, [], positions);
      await expect(mark(token, rows, [position(9n)], [position(7n)])).rejects.toThrow(FenceLost);
      expect(await test.unmarked()).toBe(4);
      expect(await stored()).toEqual(before === undefined ? [] : [{ partition: 0, position: String(before) }]);
    });

    it('changes nothing on another server', async () => {
      const { token, rows } = await leased();
      verifyAnotherServer(test.database);
      await expect(mark(token, rows, [position(9n)])).rejects.toThrow(FenceLost);
      expect([await test.unmarked(), await stored()]).toEqual([4, []]);
    });
  });
});
