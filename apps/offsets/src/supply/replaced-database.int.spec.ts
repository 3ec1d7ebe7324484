import { createKafka, createTopics } from '@carbon/messaging';
import { freshPrefix, testEngines } from '@carbon/testing';
import { Logger } from '@nestjs/common';
import { readDatabaseState } from '../persistence/fence.js';
import type { ProcessExit } from '../recovery/process-exit.js';
import { TestDatabase } from '../test-database.js';
import { pool } from '../test-events.js';
import { FollowSupply } from './follow-supply.js';
import { ASSETS } from './reading.js';

const PARTITION = 0;

describe('a database that is replaced while the asset topic is read', () => {
  const exits: string[] = [];
  const exit: ProcessExit = { now: ({ message }) => void exits.push(message) };
  let test: TestDatabase;
  let follow: FollowSupply;
  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(async () => {
    exits.length = 0;
    test = await TestDatabase.create();
    const brokers = testEngines().kafkaBrokers.split(',');
    const kafka = createKafka({ brokers, clientId: 'test', topicPrefix: freshPrefix() });
    await createTopics(kafka);
    follow = new FollowSupply(test.database, kafka, test.gate, exit);
    follow.onApplicationBootstrap();
    await follow.reading;
    // Nothing is on the topic: it would be taken for another one.
    follow.beforeApplicationShutdown();
  });
  afterEach(() => test.close());

  const progress = (from: bigint, next: bigint) =>
    follow.onProgress({ topic: ASSETS, partition: PARTITION, from, next });
  const stored = async () =>
    (await test.rows<{ position: string }>('SELECT position FROM supply_positions')).map(({ position }) => position);
  const record = () =>
    follow.record({ topic: ASSETS, partition: PARTITION, messages: [test.message('pool_a', pool('a'))] });

  it('lets no position pass changes that it lacks: the process ends, and its successor reads them again', async () => {
    await progress(0n, 5n);
    await progress(5n, 6n);
    expect(await stored()).toEqual(['6']);
    // A standby that had received no more than this.
    await test.sql.query('UPDATE supply_positions SET position = 4');
    await expect(progress(6n, 7n)).rejects.toThrow('lower positions of asset.published');
    expect(await stored()).toEqual(['4']);
    expect(exits).toEqual([expect.stringContaining('lower positions of asset.published')]);
  });

  it('lets none pass changes where it holds no position at all', async () => {
    await expect(progress(6n, 7n)).rejects.toThrow('lower positions of asset.published');
    expect(await stored()).toEqual([]);
  });

  it('has changes recorded once more that were recorded on the one before', async () => {
    await record();
    await test.sql.query('DELETE FROM supply');
    test.database.fence.hold(await readDatabaseState(test.database.query));
    expect(await progress(0n, 1n)).toBe('again');
    expect(await stored()).toEqual([]);
    await record();
    expect(await progress(0n, 1n)).toBeUndefined();
    expect(await stored()).toEqual(['1']);
    expect(exits).toEqual([]);
  });
});
