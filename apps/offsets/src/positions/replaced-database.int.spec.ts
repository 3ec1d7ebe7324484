import { createKafka, createTopics } from '@carbon/messaging';
import { Metrics } from '@carbon/observability';
import { freshPrefix, testEngines } from '@carbon/testing';
import { RequestNumbers } from '../metrics/request-numbers.js';
import { readDatabaseState } from '../persistence/fence.js';
import type { ProcessExit } from '../recovery/process-exit.js';
import { TestDatabase } from '../test-database.js';
import { FollowRequests } from './follow-requests.js';

const CHUNK = { topic: 'offset.requested', partition: 0, from: 0n, next: 2n };

describe('a database that is replaced between recording requests and storing their position', () => {
  const exits: Error[] = [];
  const exit: ProcessExit = { now: (reason) => void exits.push(reason) };
  let test: TestDatabase;
  let follow: FollowRequests;
  beforeEach(async () => {
    test = await TestDatabase.create();
    const brokers = testEngines().kafkaBrokers.split(',');
    const kafka = createKafka({ brokers, clientId: 'test', topicPrefix: freshPrefix() });
    await createTopics(kafka);
    follow = new FollowRequests(test.database, kafka, exit, new RequestNumbers(new Metrics('offsets')));
    await follow.startsOf('offset.requested', [0]);
  });
  afterEach(async () => {
    await follow.beforeApplicationShutdown();
    await test.close();
  });

  const stored = async () =>
    (await test.rows<{ position: string }>('SELECT position FROM request_positions WHERE partition = 0'))[0]?.position;
  const verifyAgain = async () => test.database.fence.hold(await readDatabaseState(test.database.query));

  it('has them recorded once more, and stores the position after that', async () => {
    await test.ask(1, 2);
    // A standby that had not received them, and that no announced outcome tells from the primary.
    await test.sql.query('DELETE FROM offsets');
    await verifyAgain();
    expect(await follow.onProgress(CHUNK)).toBe('again');
    expect(await stored()).toBe('0');
    await test.ask(1, 2);
    expect(await follow.onProgress(CHUNK)).toBeUndefined();
    expect(await stored()).toBe('2');
    expect(exits).toEqual([]);
  });

  it('stores at once where it was not replaced', async () => {
    await test.ask(1, 2);
    expect(await follow.onProgress(CHUNK)).toBeUndefined();
    expect(await stored()).toBe('2');
  });
});
