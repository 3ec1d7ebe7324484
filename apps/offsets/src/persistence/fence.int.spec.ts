import { randomUUID } from 'node:crypto';
import { markPublished, type OutboxRow } from '../outbox/outbox-rows.js';
import { TestDatabase } from '../testing/database.js';
import { pool } from '../testing/events.js';
import { verifyAnotherServer } from '../testing/open-database.js';
import { FenceLost, readDatabaseState } from './fence.js';
import { type OutcomePosition } from './outcome-positions.js';

describe('the fence of a verified database', () => {
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

  it('allows decisions while it is held', async () => {
    await decide();
    expect(await test.counts()).toEqual({ completed: 2 });
    expect(test.database.fence.isHeld).toBe(true);
  });

  describe.each([
    ['another server answers', (held: { epoch: string }) => ({ server: '1.5', epoch: held.epoch })],
    ['another process has recovered', (held: { server: string }) => ({ server: held.server, epoch: '0' })],
  ])('once %s', (_, change) => {
    beforeEach(async () => test.database.fence.hold(change(await readDatabaseState(test.database.query))));

    it('refuses decisions, and is released', async () => {
      await expect(decide()).rejects.toThrow(FenceLost);
      expect(await traces()).toEqual([{ queued: 2 }, [], []]);
      expect(test.database.fence.isHeld).toBe(false);
      await expect(decide()).rejects.toThrow(FenceLost);
    });

    it('refuses reservations', async () => {
      await test.queue(1);
      await expect(test.reserveCredits.run()).rejects.toThrow(FenceLost);
      expect(await test.counts()).toEqual({ queued: 1 });
      expect(await test.rows('SELECT asset_id FROM reservations')).toEqual([]);
    });

    it('refuses estimates', async () => {
      await expect(test.estimate(1)).rejects.toThrow(FenceLost);
      expect(await test.rows('SELECT id FROM estimates')).toEqual([]);
    });
  });

  it('refuses decisions while a process recovers', async () => {
    await test.sql.query('UPDATE database_state SET recovering = true, recovering_since = now()');
    await expect(decide()).rejects.toThrow(FenceLost);
    expect(await traces()).toEqual([{ queued: 2 }, [], []]);
  });

  it('refuses decisions before the database is verified', async () => {
    test.database.fence.release();
    await expect(decide()).rejects.toThrow('being compared with the published outcomes');
  });

  describe('when events are marked published', () => {
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

    it('stores the positions, which never decrease', async () => {
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
    ])('changes nothing if the database has %s positions than it had', async (_, before) => {
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
