import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type KafkaHandle } from '@carbon/messaging';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { TestDatabase } from '../testing/database.js';
import { pool } from '../testing/events.js';
import { freshKafka, WatchedProducer } from '../testing/kafka.js';
import { verifyAgain, verifyAnotherServer } from '../testing/open-database.js';
import { OutboxRelay } from './outbox-relay.js';

let kafka: KafkaHandle;
let test: TestDatabase;
const producers: WatchedProducer[] = [];
const producer = () => {
  const made = new WatchedProducer(kafka, { messageBytes: 1_000_000 });
  producers.push(made);
  return made;
};
beforeAll(async () => {
  Logger.overrideLogger(false);
  kafka = await freshKafka();
});
afterAll(() => Promise.all(producers.map((each) => each.close())));
beforeEach(async () => {
  test = await TestDatabase.create();
  await test.recordAssets([pool('a')]);
});
afterEach(() => test.close());

const drain = async (relay: OutboxRelay) => {
  while (await relay.run());
};

describe('the outbox relay', () => {
  const complete = async (count: number) => {
    await test.queue(...Array.from({ length: count }, () => 1));
    await test.completeQueued();
  };
  const expire = () =>
    test.sql.query(`UPDATE outbox SET lease_until = now() - interval '1 s' WHERE lease_until IS NOT NULL`);

  it('claims rows that were leased before the clock of PostgreSQL was set back', async () => {
    await complete(2);
    await test.sql.query(`UPDATE outbox SET lease_token = gen_random_uuid(), lease_until = now() + interval '1 h'`);
    await drain(test.relay(producer()));
    expect(await test.unmarked()).toBe(0);
  });

  it('publishes each event under its id and key, and marks it and its offset', async () => {
    await complete(3);
    const watched = producer();
    await drain(test.relay(watched));
    expect(await test.unmarked()).toBe(0);
    expect(new Set(watched.eventIds).size).toBe(3);
    for (const message of watched.published) {
      expect(message).toMatchObject({ topic: 'offset.completed', headers: { ce_type: 'offset.completed.v1' } });
      expect(message.headers.ce_id).toBe(`${message.key}.offset.completed.v1`);
      expect(message.headers).toMatchObject({ ce_source: '/offsets', ce_subject: message.key });
      expect(message.headers.traceparent).toMatch(/^00-/);
    }
  });

  it('claims no row on an unverified server, where published rows may look unpublished', async () => {
    await complete(1);
    const watched = producer();
    verifyAnotherServer(test.database);
    await drain(test.relay(watched));
    expect(watched.published).toEqual([]);
    await verifyAgain(test.database);
    await drain(test.relay(watched));
    expect(watched.published).toHaveLength(1);
  });

  it('marks the events that Kafka confirmed, and publishes the rest once their lease has expired', async () => {
    await complete(4);
    const watched = producer();
    const [refused] = await test.rows<{ event_id: string }>('SELECT event_id FROM outbox LIMIT 1');
    watched.refuse = ({ headers }) => headers.ce_id === refused?.event_id;
    const relay = test.relay(watched);
    await drain(relay);
    expect(watched.published).toHaveLength(3);
    expect(await test.unmarked()).toBe(2);
    watched.refuse = () => false;
    await drain(relay);
    expect(watched.published).toHaveLength(3);
    await expire();
    await drain(relay);
    expect(watched.published).toHaveLength(4);
    expect(await test.unmarked()).toBe(0);
  });

  it('marks nothing after another relay has claimed its rows', async () => {
    await complete(2);
    const { promise, resolve } = Promise.withResolvers<void>();
    const [slow, quick] = [producer(), producer()];
    slow.hold = promise;
    const paused = test.relay(slow).run();
    while (slow.published.length < 2) await new Promise(setImmediate);
    await expire();
    const marking = test.relay(quick);
    await marking.run();
    const before = await test.rows('SELECT * FROM outbox ORDER BY event_id');
    resolve();
    await paused;
    expect(await test.rows('SELECT * FROM outbox ORDER BY event_id')).toEqual(before);
    expect(quick.eventIds.sort()).toEqual(slow.eventIds.sort());
  });

  it('publishes the oldest events first, in batches that are bounded in number and in bytes', async () => {
    const insert = (from: number, to: number, bytes: number) =>
      test.sql.query(
        `INSERT INTO outbox (event_id, offset_id, type, payload, created_at)
         SELECT n || '.offset.failed.v1', n, 'offset.failed.v1', to_json(noise), now() - n * interval '1 s'
         FROM generate_series($1::integer, $2::integer) AS n,
           LATERAL (SELECT string_agg(md5(n || '.' || m), '') AS noise FROM generate_series(1, $3 / 32) AS m)`,
        [from, to, bytes],
      );
    const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
    await insert(1, 1_100, 32);
    // Five of them exceed the batch limit in bytes.
    await insert(2_001, 2_020, 800_000);
    const watched = producer();
    const relay = test.relay(watched);
    const batches: number[][] = [];
    for (let more = true; more; ) {
      const before = watched.published.length;
      more = await relay.run();
      batches.push(watched.published.slice(before).map(({ key }) => Number(key)));
    }
    const inOrder = batches.map((batch) => batch.sort((a, b) => b - a));
    expect(inOrder.flat()).toEqual([...range(2_001, 2_020), ...range(1, 1_100)].sort((a, b) => b - a));
    const large = inOrder.filter((batch) => batch.some((n) => n > 2_000));
    expect(large.length).toBeGreaterThan(1);
    for (const batch of large) expect(batch.filter((n) => n > 2_000).length).toBeLessThanOrEqual(4);
    for (const batch of inOrder) expect(batch.length).toBeLessThanOrEqual(500);
    expect(await test.unmarked()).toBe(0);
  });
});

/**
 * Events are ordered by the start of their transactions, and become visible when these commit. A relay that remembered
 * its last position would skip every event that commits later than a younger one.
 */
describe('events of transactions that commit in a different order than they began', () => {
  const WRITERS = 20;
  const TRANSACTIONS = 12;
  const MAX_PAUSE_MS = 60;
  const ADD = `INSERT INTO outbox (event_id, offset_id, type, payload)
    VALUES ($1 || '.offset.failed.v1', $1, 'offset.failed.v1', '{}')`;

  /**
   * Runs transactions of one to three events with pauses, some of which are rolled back; returns the committed events.
   */
  const write = async (writer: number): Promise<string[]> => {
    const client = new pg.Client(test.url);
    await client.connect();
    const committed: string[] = [];
    for (let turn = 0; turn < TRANSACTIONS; turn += 1) {
      const ids = Array.from({ length: randomInt(1, 4) }, (_, n) => `off_${writer}_${turn}_${n}`);
      await client.query('BEGIN');
      for (const id of ids) {
        await client.query(ADD, [id]);
        await sleep(randomInt(MAX_PAUSE_MS));
      }
      const isTakenBack = randomInt(6) === 0;
      await client.query(isTakenBack ? 'ROLLBACK' : 'COMMIT');
      if (!isTakenBack) committed.push(...ids.map((id) => `${id}.offset.failed.v1`));
    }
    await client.end();
    return committed;
  };

  it('are all published, each once, by relays that run at the same time', async () => {
    const watched = producer();
    const committed = await test.withOthers(3, async (databases) => {
      let writing = true;
      const relays = databases.map(async (database) => {
        const relay = test.relay(watched, undefined, database);
        // Once more after the last writer has ended, and then until nothing is left.
        for (let last = false; !last; ) {
          last = !writing;
          await drain(relay);
          await sleep(5);
        }
      });
      const all = (await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))).flat();
      writing = false;
      await Promise.all(relays);
      return all;
    });
    const [disorder] = await test.rows<{ pairs: number }>(
      `SELECT count(*)::integer AS pairs FROM outbox AS early JOIN outbox AS late
       ON late.created_at > early.created_at AND late.published_at < early.published_at`,
    );
    expect(disorder?.pairs).toBeGreaterThan(100);
    expect(watched.eventIds.sort()).toEqual(committed.sort());
    expect(await test.unmarked()).toBe(0);
  });
});
