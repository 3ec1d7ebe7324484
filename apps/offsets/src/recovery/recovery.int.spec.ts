import { TransientError } from '@carbon/http';
import { Metrics } from '@carbon/observability';
import { Logger } from '@nestjs/common';
import { KafkaClientFactory } from '../infrastructure.module.js';
import { readDatabaseState } from '../persistence/fence.js';
import { SupplyConsumer } from '../supply/supply-consumer.js';
import { ASSETS } from '../supply/supply-rebuild.js';
import { TestDatabase } from '../testing/database.js';
import { pool } from '../testing/events.js';
import { freshKafka } from '../testing/kafka.js';
import { verifyAgain } from '../testing/open-database.js';
import { readOutcomes } from './outcomes.js';
import { ProcessExit } from './process-exit.js';
import { takeLease } from './recovery-lease.js';
import { RequestPositionTracker } from './request-position-tracker.js';

const exits: string[] = [];
const exit: ProcessExit = { now: ({ message }) => void exits.push(message) };
/** Clients of a new prefix. */
const freshClients = async () => {
  const kafka = await freshKafka();
  return new KafkaClientFactory(() => kafka);
};
let test: TestDatabase;
beforeAll(() => Logger.overrideLogger(false));
beforeEach(async () => {
  exits.length = 0;
  test = await TestDatabase.create();
});
afterEach(() => test.close());

describe('the beginning of a recovery', () => {
  /** Whether it equals the previous one, for a process that continues. */
  const isKept = async (before: string) => {
    await test.sql.query(`UPDATE database_state SET recovering = true, recovering_since = ${before}`);
    expect(await takeLease(test.database.query, await readDatabaseState(test.database.query))).toBeDefined();
    const [row] = await test.rows<{ kept: boolean }>(`SELECT recovering_since = ${before} AS kept FROM database_state`);
    return row?.kept;
  };

  it('is kept by a process that continues it', async () => {
    expect(await isKept(`pg_postmaster_start_time() + interval '1 ms'`)).toBe(true);
  });

  it('is replaced in a backup that was taken during it, so that recovery waits for the last send', async () => {
    expect(await isKept(`pg_postmaster_start_time() - interval '1 h'`)).toBe(false);
  });

  it('is skipped where another process has recovered since', async () => {
    const seen = await readDatabaseState(test.database.query);
    await test.sql.query('UPDATE database_state SET epoch = epoch + 1, recovered_at = now()');
    expect(await takeLease(test.database.query, seen)).toBeUndefined();
    expect(await readDatabaseState(test.database.query)).toMatchObject({ recovering: false });
  });
});

describe('reading published outcomes', () => {
  it('fails where a broker does not return all outcomes', async () => {
    const kafka = await freshKafka();
    const rangeFrom = (begin: bigint) =>
      ({
        topic: 'offset.completed',
        topicId: 'any',
        partitions: [{ partition: 0, begin, end: 1n }],
        truncated: [],
      }) as const;
    await expect(readOutcomes(kafka, [rangeFrom(0n)], async () => undefined)).rejects.toThrow(TransientError);
    await expect(readOutcomes(kafka, [rangeFrom(1n)], async () => undefined)).resolves.toBeUndefined();
  });
});

describe('a database that is replaced between recording requests and storing their position', () => {
  const CHUNK = { topic: 'offset.requested', partition: 0, from: 0n, next: 2n };

  it('has the requests recorded once more, and stores the position after that', async () => {
    const tracker = new RequestPositionTracker(test.database, await freshClients(), exit, new Metrics('offsets'));
    await tracker.findStartPositions('offset.requested', [0]);
    const stored = async () =>
      (await test.rows<{ position: string }>('SELECT position FROM request_positions WHERE partition = 0'))[0]
        ?.position;
    await test.queue(1, 2);
    // A standby without these rows, which no published outcome distinguishes from the primary.
    await test.sql.query('DELETE FROM offsets');
    await verifyAgain(test.database);
    expect(await tracker.storePosition(CHUNK)).toBe('again');
    expect(await stored()).toBe('0');
    await test.queue(1, 2);
    expect(await tracker.storePosition(CHUNK)).toBeUndefined();
    expect(await stored()).toBe('2');
    expect(exits).toEqual([]);
    await tracker.beforeApplicationShutdown();
  });

  it('has them recorded once more although a statement for other partitions fails', async () => {
    const tracker = new RequestPositionTracker(test.database, await freshClients(), exit, new Metrics('offsets'));
    await tracker.findStartPositions('offset.requested', [0, 1, 2]);
    const [first, second, waiting] = [0, 1, 2].map((partition) => ({ ...CHUNK, partition }));
    const release = await test.hold('SELECT FROM request_positions WHERE partition = 0 FOR UPDATE');
    const blocked = tracker.storePosition(first ?? CHUNK);
    await new Promise(setImmediate);
    // Both wait for the statement, and the database is replaced meanwhile.
    const outcomes = Promise.allSettled(
      [second ?? CHUNK, waiting ?? CHUNK].map((range) => tracker.storePosition(range)),
    );
    await verifyAgain(test.database);
    await release();
    expect(await blocked).toBe(undefined);
    expect((await outcomes).map((outcome) => 'value' in outcome && outcome.value)).toEqual(['again', 'again']);
    for (const range of [second, waiting]) expect(await tracker.storePosition(range ?? CHUNK)).toBe('again');
    for (const range of [second, waiting]) expect(await tracker.storePosition(range ?? CHUNK)).toBeUndefined();
    expect(exits).toEqual([]);
    await tracker.beforeApplicationShutdown();
  });

  it('stores the positions of partitions together, and one range of each', async () => {
    const tracker = new RequestPositionTracker(test.database, await freshClients(), exit, new Metrics('offsets'));
    await tracker.findStartPositions('offset.requested', [0, 1, 2]);
    const ranges = [
      { ...CHUNK, partition: 1, next: 5n },
      { ...CHUNK, partition: 2, next: 7n },
      { ...CHUNK, partition: 2, from: 7n, next: 9n },
    ];
    // One of two ranges of a partition is stored.
    const outcomes = await Promise.allSettled([CHUNK, ...ranges].map((range) => tracker.storePosition(range)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
    expect(await tracker.storePosition({ ...CHUNK, partition: 2, from: 7n, next: 9n })).toBeUndefined();
    const rows = await test.rows(
      'SELECT partition, position FROM request_positions WHERE position > 0 ORDER BY partition',
    );
    expect(rows).toEqual([
      { partition: 0, position: '2' },
      { partition: 1, position: '5' },
      { partition: 2, position: '9' },
    ]);
    expect(exits).toEqual([]);
    await tracker.beforeApplicationShutdown();
  });
});

describe('a database that is replaced while the asset topic is read', () => {
  let consumer: SupplyConsumer;
  beforeEach(async () => {
    consumer = new SupplyConsumer(test.database, await freshClients(), test.gate, exit);
    consumer.onApplicationBootstrap();
    await consumer.rebuild;
    // An empty topic would be treated as re-created.
    consumer.beforeApplicationShutdown();
  });

  const progress = (from: bigint, next: bigint) => consumer.storePosition({ topic: ASSETS, partition: 0, from, next });
  const stored = async () =>
    (await test.rows<{ position: string }>('SELECT position FROM supply_positions')).map(({ position }) => position);
  const record = () => consumer.record({ topic: ASSETS, partition: 0, messages: [test.message('pool_a', pool('a'))] });

  it('stores no position beyond changes that it lacks: the process ends, and its successor reads them again', async () => {
    await progress(0n, 5n);
    await progress(5n, 6n);
    expect(await stored()).toEqual(['6']);
    // A standby that had received no more than this.
    await test.sql.query('UPDATE supply_positions SET position = 4');
    await expect(progress(6n, 7n)).rejects.toThrow('lower positions of asset.published');
    expect(await stored()).toEqual(['4']);
    expect(exits).toEqual([expect.stringContaining('lower positions of asset.published')]);
  });

  it('stores no position beyond changes where it holds no position at all', async () => {
    await expect(progress(6n, 7n)).rejects.toThrow('lower positions of asset.published');
    expect(await stored()).toEqual([]);
  });

  it('has changes recorded once more that were recorded on the previous database', async () => {
    await record();
    await test.sql.query('DELETE FROM supply');
    await verifyAgain(test.database);
    expect(await progress(0n, 1n)).toBe('again');
    expect(await stored()).toEqual([]);
    await record();
    expect(await progress(0n, 1n)).toBeUndefined();
    expect(await stored()).toEqual(['1']);
    expect(exits).toEqual([]);
  });
});
