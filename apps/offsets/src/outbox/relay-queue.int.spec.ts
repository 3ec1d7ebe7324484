import { type KafkaHandle } from '@carbon/messaging';
import { eventually } from '@carbon/testing';
import { Logger } from '@nestjs/common';
import { FenceLost } from '../persistence/fence.js';
import { TestDatabase } from '../testing/database.js';
import { pool } from '../testing/events.js';
import { freshKafka, WatchedProducer } from '../testing/kafka.js';
import { verifyAgain } from '../testing/open-database.js';
import { resetClock, simulateSuspension } from '../testing/suspend.js';
import { type OutboxRelay, RelayQueue } from './outbox-relay.js';

describe('relaying events that the same process has committed', () => {
  let kafka: KafkaHandle;
  let test: TestDatabase;
  let queue: RelayQueue;
  let watched: WatchedProducer;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    kafka = await freshKafka();
  });
  beforeEach(async () => {
    test = await TestDatabase.create();
    await test.recordAssets([pool('a')]);
    queue = new RelayQueue();
    watched = new WatchedProducer(kafka);
  });
  afterEach(async () => {
    resetClock();
    await watched.close();
    await test.close();
  });

  const handOver = async (count: number) => {
    await test.queue(...Array.from({ length: count }, () => 1));
    await test.path(queue).completeQueued();
  };
  const relayOf = (events?: RelayQueue) => test.relay(watched, events);
  const drain = async (relay: OutboxRelay) => {
    while (await relay.run());
  };

  it('publishes queued events exactly like claimed ones', async () => {
    await handOver(3);
    await drain(relayOf(queue));
    expect(await test.unmarked()).toBe(0);
    const handed = watched.published.splice(0);
    await test.sql.query('UPDATE outbox SET published_at = NULL');
    await drain(relayOf());
    const inOrder = (messages: typeof handed) => [...messages].sort((a, b) => (a.key < b.key ? -1 : 1));
    expect(handed).toHaveLength(3);
    expect(inOrder(handed)).toEqual(inOrder(watched.published));
  });

  it('claims queued events that were never published, once their lease has expired', async () => {
    await handOver(2);
    await drain(relayOf());
    expect(watched.published).toEqual([]);
    await test.sql.query(`UPDATE outbox SET lease_until = now() - interval '1 s'`);
    await drain(relayOf());
    expect(watched.published).toHaveLength(2);
    expect(await test.unmarked()).toBe(0);
  });

  it('claims events of other processes together with queued ones', async () => {
    await handOver(2);
    await test.sql.query('UPDATE outbox SET lease_token = NULL, lease_until = NULL');
    queue.shift();
    await handOver(1);
    await relayOf(queue).run();
    expect(watched.published).toHaveLength(3);
  });

  it('publishes queued events before the process ends, as far as it can', async () => {
    await handOver(2);
    await handOver(1);
    const relay = relayOf(queue);
    await relay.finish();
    expect(watched.published).toHaveLength(3);
    expect(await test.unmarked()).toBe(0);
    await handOver(1);
    watched.refuse = () => true;
    await relay.finish();
    expect(queue.shift()).toBeUndefined();
    expect(await test.unmarked()).toBe(2);
  });

  describe('when the database was replaced by an older one', () => {
    const replace = async () => {
      await test.sql.query('UPDATE database_state SET epoch = epoch + 1');
      await verifyAgain(test.database);
    };

    it('publishes no event that the new database may lack', async () => {
      await handOver(2);
      await replace();
      await drain(relayOf(queue));
      expect(watched.published).toEqual([]);
      expect(await test.unmarked()).toBe(4);
    });

    it('marks no event that was being published, so that the next check compares it', async () => {
      await handOver(2);
      const published = Promise.withResolvers<void>();
      watched.hold = published.promise;
      const refused = expect(relayOf(queue).run()).rejects.toThrow(FenceLost);
      await eventually(() => expect(watched.published).toHaveLength(2));
      await replace();
      published.resolve();
      await refused;
      expect(await test.unmarked()).toBe(4);
      expect(test.database.fence.isHeld).toBe(true);
    });
  });

  describe('when its process was suspended while the database responded', () => {
    it('does not publish what it has committed', async () => {
      await test.queue(1, 1);
      const { database } = test;
      const transaction = database.transaction.bind(database);
      database.transaction = async (work) => {
        const outcome = await transaction(work);
        simulateSuspension();
        return outcome;
      };
      await test.path(queue).completeQueued();
      await drain(relayOf(queue));
      expect(watched.published).toEqual([]);
      expect(await test.unmarked()).toBe(4);
    });

    it('does not publish what it has claimed', async () => {
      await handOver(2);
      await test.sql.query('UPDATE outbox SET lease_token = NULL, lease_until = NULL');
      const { query } = test.database;
      const answersLate = async (sql: string, parameters?: readonly unknown[]) => {
        const rows = await query(sql, parameters);
        simulateSuspension();
        return rows;
      };
      const database = Object.create(test.database, {
        query: { value: Object.assign(answersLate, { fence: query.fence }) },
      });
      await drain(test.relay(watched, undefined, database));
      expect(watched.published).toEqual([]);
      expect(await test.unmarked()).toBe(4);
    });

    it('sends no event later than recovery expects, wherever in a batch it was suspended', async () => {
      await handOver(2);
      watched.refuse = () => {
        simulateSuspension();
        return true;
      };
      await drain(relayOf(queue));
      const [first, second] = watched.options;
      expect(first?.deadlineMs).toBe(5_000);
      expect(second?.deadlineMs).toBeLessThanOrEqual(4_000);
    });
  });
});
