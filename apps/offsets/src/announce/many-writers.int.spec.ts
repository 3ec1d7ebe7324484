import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKafka, createTopics } from '@carbon/messaging';
import { freshPrefix, testEngines } from '@carbon/testing';
import pg from 'pg';
import { openDatabase, TestDatabase } from '../test-database.js';
import { RelayEvents } from './relay-events.js';
import { idOf, WatchedProducer } from './test-watched-producer.js';

const WRITERS = 20;
const TRANSACTIONS = 12;
const LONGEST_PAUSE_MS = 60;

const ADD = `INSERT INTO outbox (event_id, offset_id, type, payload)
  VALUES ($1 || '.offset.failed.v1', $1, 'offset.failed.v1', '{}')`;

/**
 * Events stand in the order of the times at which their transactions began, and become visible in that of their ends.
 * Whoever remembered how far it has come would leave out all that ends later than something younger.
 */
describe('events of transactions that end in another order than they began', () => {
  let test: TestDatabase;
  const kafka = createKafka({
    brokers: testEngines().kafkaBrokers.split(','),
    clientId: 'test',
    topicPrefix: freshPrefix(),
  });
  const producer = new WatchedProducer(kafka);
  beforeAll(async () => {
    await createTopics(kafka);
    test = await TestDatabase.create();
  });
  afterAll(async () => {
    await producer.close();
    await test.close();
  });

  /** Transactions of one to three events with pauses in them, of which some are taken back; gives what was committed. */
  const write = async (writer: number): Promise<string[]> => {
    const client = new pg.Client(test.url);
    await client.connect();
    const committed: string[] = [];
    for (let turn = 0; turn < TRANSACTIONS; turn += 1) {
      const ids = Array.from({ length: randomInt(1, 4) }, (_, n) => `off_${writer}_${turn}_${n}`);
      await client.query('BEGIN');
      for (const id of ids) {
        await client.query(ADD, [id]);
        await sleep(randomInt(LONGEST_PAUSE_MS));
      }
      const isTakenBack = randomInt(6) === 0;
      await client.query(isTakenBack ? 'ROLLBACK' : 'COMMIT');
      if (!isTakenBack) committed.push(...ids.map((id) => `${id}.offset.failed.v1`));
    }
    await client.end();
    return committed;
  };

  it('are all published, each once, by relays that run all the while', async () => {
    const databases = await Promise.all([1, 2, 3].map(() => openDatabase(test.url)));
    let writing = true;
    const relays = databases.map(async (database) => {
      const relay = new RelayEvents(database, producer);
      // Once more after the last writer's end, and then until nothing is left.
      for (let last = false; !last; ) {
        last = !writing;
        while (await relay.run());
        await sleep(5);
      }
    });
    const committed = (await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))).flat();
    writing = false;
    await Promise.all(relays);
    await Promise.all(databases.map((database) => database.onApplicationShutdown()));

    const [disorder] = await test.rows<{ pairs: number }>(
      `SELECT count(*)::integer AS pairs FROM outbox AS early JOIN outbox AS late
       ON late.created_at > early.created_at AND late.published_at < early.published_at`,
    );
    expect(disorder?.pairs).toBeGreaterThan(100);
    expect(producer.taken.map(idOf).sort()).toEqual(committed.sort());
    expect(await test.rows('SELECT event_id FROM outbox WHERE published_at IS NULL')).toEqual([]);
    expect(await test.rows('SELECT event_id FROM outbox ORDER BY event_id')).toHaveLength(committed.length);
  });
});
