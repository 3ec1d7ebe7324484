import { createKafka, createTopics } from '@carbon/messaging';
import { eventually, freshPrefix, testEngines } from '@carbon/testing';
import { Logger } from '@nestjs/common';
import { FreshEvents } from '../pace/fresh-events.js';
import { FenceLost, readDatabaseState } from '../persistence/fence.js';
import { LedgerRegistry } from '../retire/registry.ledger.js';
import { TestDatabase } from '../test-database.js';
import { pool } from '../test-events.js';
import { haveSlept, wakeUp } from '../test-sleep.js';
import { RelayEvents } from './relay-events.js';
import { WatchedProducer } from './test-watched-producer.js';

describe('relaying events that the same process has just written down', () => {
  let test: TestDatabase;
  let fresh: FreshEvents;
  let watched: WatchedProducer;
  const kafka = createKafka({
    brokers: testEngines().kafkaBrokers.split(','),
    clientId: 'test',
    topicPrefix: freshPrefix(),
  });
  beforeAll(async () => {
    Logger.overrideLogger(false);
    await createTopics(kafka);
  });
  beforeEach(async () => {
    test = await TestDatabase.create();
    await test.bring([pool('a')]);
    fresh = new FreshEvents();
    watched = new WatchedProducer(kafka);
  });
  afterEach(async () => {
    await watched.close();
    await test.close();
  });

  const handOver = async (count: number) => {
    await test.ask(...Array.from({ length: count }, () => 1));
    const retire = test.retiring(new LedgerRegistry(), fresh);
    await retire.atOnce((settle) => test.reserveCredits.run(settle));
  };
  const drain = async (relay: RelayEvents) => {
    while (await relay.run());
  };
  const unmarked = async () =>
    (await test.rows('SELECT id FROM offsets WHERE announced_at IS NULL')).length +
    (await test.rows('SELECT event_id FROM outbox WHERE published_at IS NULL')).length;

  it('publishes what it is handed as what is found would be: under the same id, time and words', async () => {
    await handOver(3);
    await drain(new RelayEvents(test.database, watched, undefined, fresh));
    expect(await unmarked()).toBe(0);
    const handed = watched.taken.splice(0);
    await test.sql.query('UPDATE outbox SET published_at = NULL');
    await drain(new RelayEvents(test.database, watched));
    const inOrder = (messages: typeof handed) => [...messages].sort((a, b) => (a.key < b.key ? -1 : 1));
    expect(handed).toHaveLength(3);
    expect(inOrder(handed)).toEqual(inOrder(watched.taken));
  });

  it('finds what was handed over and never announced, once its lease has run out', async () => {
    await handOver(2);
    const another = new RelayEvents(test.database, watched);
    await drain(another);
    expect(watched.taken).toEqual([]);
    await test.sql.query(`UPDATE outbox SET lease_until = now() - interval '1 s'`);
    await drain(another);
    expect(watched.taken).toHaveLength(2);
    expect(await unmarked()).toBe(0);
  });

  it('announces at the end of the process what it has in hand, as far as it can', async () => {
    await handOver(2);
    await handOver(1);
    const relay = new RelayEvents(test.database, watched, undefined, fresh);
    await relay.finish();
    expect(watched.taken).toHaveLength(3);
    expect(await unmarked()).toBe(0);
    await handOver(1);
    watched.refuse = () => true;
    await relay.finish();
    expect(fresh.take()).toBeUndefined();
    expect(await unmarked()).toBe(2);
  });

  describe('when another database has taken the place of the one that holds them', () => {
    const replace = async () => {
      await test.sql.query('UPDATE database_state SET epoch = epoch + 1');
      test.database.fence.hold(await readDatabaseState(test.database.query));
    };

    it('does not announce what that one may lack', async () => {
      await handOver(2);
      await replace();
      await drain(new RelayEvents(test.database, watched, undefined, fresh));
      expect(watched.taken).toEqual([]);
      expect(await unmarked()).toBe(4);
    });

    it('marks nothing there of what was being published, so that the next check compares it', async () => {
      await handOver(2);
      const published = Promise.withResolvers<void>();
      watched.hold = published.promise;
      const run = new RelayEvents(test.database, watched, undefined, fresh).run();
      const refused = expect(run).rejects.toThrow(FenceLost);
      await eventually(() => expect(watched.taken).toHaveLength(2));
      await replace();
      published.resolve();
      await refused;
      expect(await unmarked()).toBe(4);
      expect(test.database.fence.isHeld).toBe(true);
    });
  });

  describe('when its process slept while the database answered, and another one may have taken its place since', () => {
    afterEach(wakeUp);

    it('does not announce what it has committed', async () => {
      await test.ask(1, 1);
      await test.retiring(new LedgerRegistry(), fresh).atOnce(async (settle) => {
        const outcome = await test.reserveCredits.run(settle);
        haveSlept();
        return outcome;
      });
      await drain(new RelayEvents(test.database, watched, undefined, fresh));
      expect(watched.taken).toEqual([]);
      expect(await unmarked()).toBe(4);
    });

    it('does not announce what it has claimed', async () => {
      await handOver(2);
      await test.sql.query('UPDATE outbox SET lease_token = NULL, lease_until = NULL');
      const { query } = test.database;
      const answersLate = async (sql: string, parameters?: readonly unknown[]) => {
        const rows = await query(sql, parameters);
        haveSlept();
        return rows;
      };
      const database = Object.create(test.database, {
        query: { value: Object.assign(answersLate, { fence: query.fence }) },
      });
      await drain(new RelayEvents(database, watched));
      expect(watched.taken).toEqual([]);
      expect(await unmarked()).toBe(4);
    });

    it('sends no event later than recovery expects, wherever in a batch it slept', async () => {
      await handOver(2);
      watched.refuse = () => {
        haveSlept();
        return true;
      };
      await drain(new RelayEvents(test.database, watched, undefined, fresh));
      const [first, second] = watched.asked;
      expect(first?.deadlineMs).toBe(5_000);
      expect(second?.deadlineMs).toBeLessThanOrEqual(4_000);
    });
  });

  it('looks for what others left beside what is fresh', async () => {
    await handOver(2);
    await test.sql.query('UPDATE outbox SET lease_token = NULL, lease_until = NULL');
    fresh.take();
    await handOver(1);
    await new RelayEvents(test.database, watched, undefined, fresh).run();
    expect(watched.taken).toHaveLength(3);
  });
});
