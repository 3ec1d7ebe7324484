import type { ISocketFactory } from 'kafkajs';
import { isKafkaReachable } from '../admin/admin.js';
import { topicEnds } from '../admin/positions.js';
import { TestKafka } from '../testing/kafka.js';
import { noDelaySockets } from './patches.js';

const PART_OF_A_RESPONSE_BYTES = 6;
const test = new TestKafka();
afterAll(() => test.close());

it('a connection that is lost in the middle of a response can be opened again and used', async () => {
  let isCut = false;
  const sockets: ISocketFactory = (to) => {
    const socket = noDelaySockets(to);
    const emit = socket.emit.bind(socket) as (event: string | symbol, ...values: unknown[]) => boolean;
    socket.emit = (event: string | symbol, ...values: unknown[]) => {
      const [data] = values;
      if (!isCut || event !== 'data' || !Buffer.isBuffer(data)) return emit(event, ...values);
      isCut = false;
      emit('data', data.subarray(0, PART_OF_A_RESPONSE_BYTES));
      socket.destroy(new Error('read ECONNRESET'));
      return true;
    };
    return socket;
  };
  const admin = test.handle({ sockets }).client.admin({ retry: { retries: 0 } });
  await admin.connect();
  const { clusterId } = await admin.describeCluster();
  isCut = true;
  await expect(admin.describeCluster()).rejects.toThrow();
  expect(isCut).toBe(false);
  expect(await admin.describeCluster()).toMatchObject({ clusterId });
  await admin.disconnect();
});

it('a broker that never answers is unreachable within seconds, and the next attempt uses another broker', async () => {
  const { silentPort } = await test.network();
  const kafka = test.handle({ brokers: [`127.0.0.1:${silentPort}`, ...test.brokers] });
  const begun = performance.now();
  const answers = [await isKafkaReachable(kafka), await isKafkaReachable(kafka)];
  expect(answers.sort()).toEqual([false, true]);
  // kafkajs keeps trying for half a minute.
  expect(performance.now() - begun).toBeLessThan(15_000);
});

it('a client leaves a broker that never answers for another one', async () => {
  const { silentPort } = await test.network();
  await test.create();
  const kafka = test.handle({ brokers: [`127.0.0.1:${silentPort}`, ...test.brokers] });
  // One of two clients begins with the silent broker.
  for (const _ of [1, 2]) expect(await topicEnds(kafka, 'offset.requested')).not.toEqual([]);
});
