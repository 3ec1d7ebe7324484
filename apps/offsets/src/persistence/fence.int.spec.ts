import { randomUUID } from 'node:crypto';
import { markAnnounced } from '../outbox/mark-announced.js';
import { type WrittenEvent } from '../outbox/outbox.js';
import { TestDatabase, verifyAnotherServer } from '../testing/database.js';
import { pool } from '../testing/events.js';
import { FenceLost, readDatabaseState } from './fence.js';

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
      let told = 0;
      test.database.fence.onLost(() => {
        told += 1;
      });
      await expect(decide()).rejects.toThrow(FenceLost);
      expect(await traces()).toEqual([{ queued: 2 }, [], []]);
      expect(test.database.fence.isHeld).toBe(false);
      await expect(decide()).rejects.toThrow(FenceLost);
      expect(told).toBe(1);
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
    await expect(decide()).rejects.toThrow('being compared with the outcomes that were announced');
  });

  describe('around a mark', () => {
    const position = (at: bigint, partition = 0) => ({ topicId: 'cluster/topic', partition, position: at });
    const events = async () => {
      await decide();
      const token = randomUUID();
      await test.sql.query(`UPDATE outbox SET lease_token = $1, lease_until = now() + interval '1 h'`, [token]);
      return { token, written: await test.rows<WrittenEvent>('SELECT * FROM outbox') };
    };
    const stored = () => test.rows('SELECT partition, position FROM outcome_positions ORDER BY partition');

    it('stores the positions with it, and takes none back', async () => {
      const { token, written } = await events();
      const positions = [position(7n), position(3n, 1)];
      await markAnnounced(test.database.query, token, written, { positions, known: [] });
      await markAnnounced(test.database.query, token, [], { positions: [position(5n)], known: positions });
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
      const { token, written } = await events();
      const positions = before === undefined ? [] : [position(before)];
      await markAnnounced(test.database.query, token, [], { positions, known: [] });
      const raised = { positions: [position(9n)], known: [position(7n)] };
      await expect(markAnnounced(test.database.query, token, written, raised)).rejects.toThrow(FenceLost);
      expect(await test.unmarked()).toBe(4);
      expect(await stored()).toEqual(before === undefined ? [] : [{ partition: 0, position: String(before) }]);
    });

    it('changes nothing on another server', async () => {
      const { token, written } = await events();
      verifyAnotherServer(test.database);
      const raised = { positions: [position(9n)], known: [] };
      await expect(markAnnounced(test.database.query, token, written, raised)).rejects.toThrow(FenceLost);
      expect([await test.unmarked(), await stored()]).toEqual([4, []]);
    });
  });
});
