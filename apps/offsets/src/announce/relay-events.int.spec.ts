import { createKafka, createTopics } from '@carbon/messaging';
import { freshPrefix, testEngines } from '@carbon/testing';
import { Logger } from '@nestjs/common';
import { readDatabaseState } from '../persistence/fence.js';
import { openDatabase, TestDatabase } from '../test-database.js';
import { pool } from '../test-events.js';
import { RelayEvents } from './relay-events.js';
import { idOf, WatchedProducer } from './test-watched-producer.js';

describe('relaying events', () => {
  let test: TestDatabase;
  const kafka = createKafka({
    brokers: testEngines().kafkaBrokers.split(','),
    clientId: 'test',
    topicPrefix: freshPrefix(),
  });
  const producers: WatchedProducer[] = [];
  const producer = () => {
    const made = new WatchedProducer(kafka, { messageBytes: 1_000_000 });
    producers.push(made);
    return made;
  };
  beforeAll(async () => {
    Logger.overrideLogger(false);
    await createTopics(kafka);
  });
  afterAll(() => Promise.all(producers.map((each) => each.close())));
  beforeEach(async () => {
    test = await TestDatabase.create();
    await test.bring([pool('a')]);
  });
  afterEach(() => test.close());

  const complete = async (count: number) => {
    await test.ask(...Array.from({ length: count }, () => 1));
    for (let claim = await test.reserveCredits.run(); claim; claim = await test.reserveCredits.run()) {
      await test.retireOffsets.run(claim);
    }
  };
  const unmarked = async () =>
    (await test.rows('SELECT id FROM offsets WHERE announced_at IS NULL')).length +
    (await test.rows('SELECT event_id FROM outbox WHERE published_at IS NULL')).length;
  const drain = async (relay: RelayEvents) => {
    while (await relay.run());
  };
  const expire = () =>
    test.sql.query(`UPDATE outbox SET lease_until = now() - interval '1 s' WHERE lease_until IS NOT NULL`);

  it('takes what was claimed before the clock of PostgreSQL was set back', async () => {
    await complete(2);
    await test.sql.query(`UPDATE outbox SET lease_token = gen_random_uuid(), lease_until = now() + interval '1 h'`);
    await drain(new RelayEvents(test.database, producer()));
    expect(await unmarked()).toBe(0);
  });

  it('publishes each event under its id and key, and marks it and its offset', async () => {
    await complete(3);
    const watched = producer();
    await drain(new RelayEvents(test.database, watched));
    expect(await unmarked()).toBe(0);
    expect(new Set(watched.taken.map(idOf)).size).toBe(3);
    for (const message of watched.taken) {
      expect(message).toMatchObject({ topic: 'offset.completed', headers: { ce_type: 'offset.completed.v1' } });
      expect(idOf(message)).toBe(`${message.key}.offset.completed.v1`);
      expect(message.headers).toMatchObject({ ce_source: '/offsets', ce_subject: message.key });
      expect(message.headers.traceparent).toMatch(/^00-/);
    }
  });

  it('takes none on a server that was not verified: it may have been put back, and they be announced already', async () => {
    await complete(1);
    const watched = producer();
    test.database.fence.hold({ server: '1.5', epoch: '1' });
    await drain(new RelayEvents(test.database, watched));
    expect(watched.taken).toEqual([]);
    test.database.fence.hold(await readDatabaseState(test.database.query));
    await drain(new RelayEvents(test.database, watched));
    expect(watched.taken).toHaveLength(1);
  });

  it('publishes every event once when several relays are at it', async () => {
    await complete(2_300);
    const watched = producer();
    const databases = await Promise.all([1, 2, 3].map(() => openDatabase(test.url)));
    await Promise.all(databases.map((database) => drain(new RelayEvents(database, watched))));
    await Promise.all(databases.map((database) => database.onApplicationShutdown()));
    expect(await unmarked()).toBe(0);
    expect(watched.taken).toHaveLength(2_300);
    expect(new Set(watched.taken.map(idOf)).size).toBe(2_300);
  });

  it('marks what Kafka confirmed, and publishes the rest once its lease has run out', async () => {
    await complete(4);
    const watched = producer();
    const [refused] = await test.rows<{ event_id: string }>('SELECT event_id FROM outbox LIMIT 1');
    watched.refuse = (message) => idOf(message) === refused?.event_id;
    const relay = new RelayEvents(test.database, watched);
    await drain(relay);
    expect(watched.taken).toHaveLength(3);
    expect(await unmarked()).toBe(2);
    watched.refuse = () => false;
    await drain(relay);
    expect(watched.taken).toHaveLength(3);
    await expire();
    await drain(relay);
    expect(watched.taken).toHaveLength(4);
    expect(await unmarked()).toBe(0);
  });

  it('marks nothing any more when it wakes after its lease has passed to another', async () => {
    await complete(2);
    const { promise, resolve } = Promise.withResolvers<void>();
    const [slow, quick] = [producer(), producer()];
    slow.hold = promise;
    const paused = new RelayEvents(test.database, slow).run();
    while (slow.taken.length < 2) await new Promise(setImmediate);
    await expire();
    const marking = new RelayEvents(test.database, quick);
    await marking.run();
    const before = await test.rows('SELECT * FROM outbox ORDER BY event_id');
    resolve();
    await paused;
    expect(await test.rows('SELECT * FROM outbox ORDER BY event_id')).toEqual(before);
    expect(quick.taken.map(idOf).sort()).toEqual(slow.taken.map(idOf).sort());
  });

  it('publishes the oldest first, as many at a time as are bounded in number and in bytes', async () => {
    const insert = (from: number, to: number, bytes: number) =>
      test.sql.query(
        `INSERT INTO outbox (event_id, offset_id, type, payload, created_at)
         SELECT n || '.offset.failed.v1', n, 'offset.failed.v1', to_json(noise), now() - n * interval '1 s'
         FROM generate_series($1::integer, $2::integer) AS n,
           LATERAL (SELECT string_agg(md5(n || '.' || m), '') AS noise FROM generate_series(1, $3 / 32) AS m)`,
        [from, to, bytes],
      );
    await insert(1, 1_100, 32);
    // Ten of them are more than is had in hand at once, though PostgreSQL keeps them somewhat smaller.
    await insert(2_001, 2_020, 800_000);
    const watched = producer();
    const relay = new RelayEvents(test.database, watched);
    const batches: number[][] = [];
    for (let more = true; more; ) {
      const before = watched.taken.length;
      more = await relay.run();
      batches.push(watched.taken.slice(before).map(({ key }) => Number(key)));
    }
    const inOrder = batches.map((batch) => batch.sort((a, b) => b - a));
    expect(inOrder.flat()).toEqual([...range(2_001, 2_020), ...range(1, 1_100)].sort((a, b) => b - a));
    const large = inOrder.filter((batch) => batch.some((n) => n > 2_000));
    expect(large.length).toBeGreaterThan(1);
    for (const batch of large) expect(batch.filter((n) => n > 2_000).length).toBeLessThan(12);
    for (const batch of inOrder) expect(batch.length).toBeLessThanOrEqual(500);
    expect(await unmarked()).toBe(0);
  });
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, n) => from + n);
}
