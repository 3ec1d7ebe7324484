import kafkajs from 'kafkajs';
import { ReadProgress } from './read-topic.js';
import { decodeMetadata, metadataRequest } from './topic-id.js';
import { defaultReplication } from './topic-state.js';

describe('reading a topic to its ends', () => {
  const ends = [
    { partition: 0, begin: 0n, end: 10n },
    { partition: 1, begin: 5n, end: 5n },
    { partition: 2, begin: 3n, end: 4n },
  ];
  const progressOf = (...fetched: readonly [broker: number, times: number][]) => {
    const progress = new ReadProgress(ends, 3);
    const fetch = (broker: number, times: number) => {
      for (let n = 0; n < times; n += 1) progress.fetched(broker);
    };
    for (const [broker, times] of fetched) fetch(broker, times);
    return { progress, fetch };
  };

  it('is done when every partition with messages is read', () => {
    const { progress } = progressOf();
    progress.reached(0, 9n);
    expect(progress.done).toBe(false);
    progress.reached(2, 3n);
    expect(progress.done).toBe(true);
    expect(new ReadProgress([{ partition: 0, begin: 7n, end: 7n }], 3).done).toBe(true);
  });

  it('is done after several empty fetches in a row: the last messages were compacted away', () => {
    const { progress, fetch } = progressOf([1, 3]);
    progress.reached(0, 4n);
    fetch(1, 3);
    expect(progress.done).toBe(false);
    fetch(1, 1);
    expect(progress.done).toBe(true);
  });

  it('waits for empty fetches of every broker, and counts again when one delivers something', () => {
    const { progress, fetch } = progressOf();
    progress.requested(1);
    progress.requested(2);
    fetch(2, 50);
    expect(progress.done).toBe(false);
    fetch(1, 3);
    progress.delivered();
    fetch(1, 1);
    fetch(2, 4);
    expect(progress.done).toBe(false);
    fetch(1, 3);
    expect(progress.done).toBe(true);
  });

  it('does not wait forever for a broker that is not fetched from any more', () => {
    const { progress, fetch } = progressOf();
    progress.requested(1);
    fetch(2, 61);
    expect(progress.done).toBe(true);
  });
});

describe('the Metadata request', () => {
  const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');

  it('names the topics, and creates none', async () => {
    const { buffer } = await metadataRequest(['ab', 'c'.repeat(200)]).request.encode();
    const none = '00'.repeat(16);
    const long = `c901 ${'63'.repeat(200)}`;
    expect(buffer).toEqual(hex(`00 03 ${none} 03 6162 00 ${none} ${long} 00 00 00 00`));
  });

  it('has topic IDs in its response, after any number of brokers, partitions and tags', () => {
    const broker = '00000001 05 686f7374 00002384 00 01 07 02 ffff';
    const partition = '0000 00000000 00000001 00000003 02 00000001 03 00000001 00000002 01 00';
    const topic = `0000 03 6162 00112233445566778899aabbccddeeff 00 02 ${partition} 80000000 00`;
    const unknown = `0003 03 6364 ${'00'.repeat(16)} 00 01 80000000 00`;
    const payload = hex(`00 00000000 02 ${broker} 04 78797a 00000001 03 ${topic} ${unknown} 00`);
    const { clusterId, topics } = decodeMetadata(payload);
    expect(clusterId).toBe('xyz');
    expect(topics).toEqual([
      { errorCode: 0, name: 'ab', topicId: '00112233-4455-6677-8899-aabbccddeeff' },
      { errorCode: 3, name: 'cd', topicId: '00000000-0000-0000-0000-000000000000' },
    ]);
    for (const missing of [2, 30]) {
      const cut = payload.subarray(0, -missing);
      expect(() => decodeMetadata(cut)).toThrow(expect.objectContaining({ name: 'RangeError' }));
    }
  });
});

describe('the default replication of brokers', () => {
  const refusing = (type: string) => ({
    describeCluster: async () => ({ brokers: [{ nodeId: 1, host: 'x', port: 9 }], controller: 1, clusterId: 'c' }),
    describeConfigs: () => {
      const answer = Object.assign(new Error('refused'), { type, retriable: false });
      return Promise.reject(new kafkajs.KafkaJSProtocolError(answer));
    },
  });

  it('is undefined where the settings of brokers are hidden, and otherwise an error', async () => {
    expect(await defaultReplication(refusing('CLUSTER_AUTHORIZATION_FAILED'))).toBeUndefined();
    await expect(defaultReplication(refusing('INVALID_REQUEST'))).rejects.toThrow('refused');
  });
});
