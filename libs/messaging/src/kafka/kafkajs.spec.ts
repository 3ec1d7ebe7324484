import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { type LogEntry, logLevel, type Message, Partitioners, type PartitionMetadata } from 'kafkajs';
import { partitioner } from '../publish/partitions.js';
import { createKafka } from './create-kafka.js';
import { logBridge } from './log.js';
import { type EncodedRecord, encodeRecord, type RecordToEncode } from './record-encoder.js';

const require = createRequire(import.meta.url);
const byKafkajs: (
  record: RecordToEncode,
) => EncodedRecord = require('kafkajs/src/protocol/recordBatch/record/v0/index.js');

describe('a record for Kafka', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constant('ü€😀'.repeat(50)));
  const bytes = fc.uint8Array({ maxLength: 20_000 }).map((array) => Buffer.from(array));
  const word = fc.oneof(text, bytes);
  const record = fc.record(
    {
      offsetDelta: fc.nat(),
      timestampDelta: fc.oneof(fc.nat({ max: 2 ** 31 - 1 }), fc.constantFrom(0, 63, 64, 1_000 * 60 * 60 * 24 * 30)),
      key: fc.option(word),
      value: fc.option(word),
      headers: fc.dictionary(text, fc.oneof(word, fc.array(word, { maxLength: 3 })), { maxKeys: 12 }),
    },
    { requiredKeys: ['key', 'value'] },
  );

  it('has the bytes of kafkajs’ own encoder', () => {
    fc.assert(
      fc.property(record, (one) => expect(encodeRecord(one).buffer.equals(byKafkajs(one).buffer)).toBe(true)),
      { numRuns: 1_000 },
    );
  });

  it('cannot come before the first of its batch', () => {
    for (const early of [{ timestampDelta: -1 }, { offsetDelta: -1 }])
      expect(() => encodeRecord({ ...early, key: 'k', value: 'v' })).toThrow(RangeError);
  });

  it('is encoded so by every producer', async () => {
    createKafka({ brokers: ['127.0.0.1:9'], clientId: 'test' });
    const produce = require('kafkajs/src/protocol/requests/produce/v3/request.js');
    // kafkajs itself cannot write a header without a value.
    const messages = [{ key: 'k', value: 'v', headers: { empty: null } }];
    const topicData = [{ topic: 't', partitions: [{ partition: 0, messages }] }];
    const { buffer } = await produce({ acks: -1, timeout: 1, topicData }).encode();
    expect(buffer.includes('empty')).toBe(true);
  });
});

describe('the partition of a key', () => {
  const partitions = (count: number): PartitionMetadata[] =>
    Array.from({ length: count }, (_, partitionId) => {
      return { partitionErrorCode: 0, partitionId, leader: 1, replicas: [1], isr: [1] };
    });
  const MANY = partitions(10_007);
  const [ours, theirs] = [partitioner(), Partitioners.DefaultPartitioner()];
  const place = (message: Message, partitionMetadata = MANY) => ({ topic: 't', partitionMetadata, message });

  it('is the one that kafkajs chooses, for keys of every length and kind', () => {
    for (let length = 0; length <= 64; length += 1) {
      for (let n = 0; n < 20; n += 1) {
        const bytes = hash('sha512', `${length} ${n}`, 'buffer').subarray(0, length);
        for (const key of [bytes, bytes.toString('latin1'), bytes.toString('base64')]) {
          const context = place({ key, value: null }, MANY.slice(n));
          expect(ours(context)).toBe(theirs(context));
        }
      }
    }
  });

  it('is the one that the message names, and another one for each message without a key', () => {
    expect(ours(place({ key: 'k', value: null, partition: 7 }))).toBe(7);
    const context = place({ value: 'v' }, partitions(3));
    expect(new Set([ours(context), ours(context), ours(context)])).toEqual(new Set([0, 1, 2]));
  });
});

describe('the request queue of a kafkajs connection', () => {
  interface Queue {
    readonly throttleCheckTimeoutId: NodeJS.Timeout | null;
    push(request: { entry: object; expectResponse: boolean; sendRequest(): void }): void;
    maybeThrottle(ms: number): void;
    checkPendingRequests(): void;
    destroy(): void;
  }

  it('sets no timer while it is empty, and sends what a broker has throttled', async () => {
    const { logger } = createKafka({ brokers: ['127.0.0.1:9'], clientId: 'test' });
    const RequestQueue: new (options: object) => Queue = require('kafkajs/src/network/requestQueue/index.js');
    const queue = new RequestQueue({ clientId: 'test', broker: 'test', logger });
    try {
      queue.checkPendingRequests();
      expect(queue.throttleCheckTimeoutId).toBeNull();
      queue.maybeThrottle(20);
      const begun = Date.now();
      await new Promise<void>((sendRequest) => {
        queue.push({ entry: { correlationId: 1, resolve: () => {} }, expectResponse: false, sendRequest });
      });
      expect(Date.now() - begun).toBeGreaterThanOrEqual(19);
    } finally {
      queue.destroy();
    }
  });
});

describe('the heartbeat of a kafkajs consumer', () => {
  interface Group {
    memberId: string;
    coordinator: { heartbeat(): Promise<void> };
    lastRequest: number;
    heartbeat(options: { readonly interval: number }): Promise<void>;
  }
  const SESSION_MS = 10_000;
  const groupWith = (heartbeat: () => Promise<void>): Group => {
    createKafka({ brokers: ['127.0.0.1:9'], clientId: 'test' });
    const ConsumerGroup: new (options: object) => Group = require('kafkajs/src/consumer/consumerGroup.js');
    const parts = { logger: { namespace: () => undefined }, instrumentationEmitter: { emit: () => undefined } };
    const group = new ConsumerGroup({ ...parts, sessionTimeout: SESSION_MS });
    return Object.assign(group, { memberId: 'member', coordinator: { heartbeat } });
  };

  it('is sent although the clock was set back', async () => {
    const sent = Promise.withResolvers<void>();
    const group = groupWith(async () => sent.resolve());
    group.lastRequest = Date.now() + 3_600_000;
    await group.heartbeat({ interval: 0 });
    await sent.promise;
  });

  it('leads to a new join after a session without a coordinator, not before', async () => {
    const gone = () => Promise.reject(Object.assign(new Error('gone'), { name: 'KafkaJSConnectionError' }));
    const group = groupWith(gone);
    const typeOf = (error: unknown) => (error as { type?: string }).type;
    group.lastRequest = Date.now() - SESSION_MS / 2;
    expect(typeOf(await group.heartbeat({ interval: 0 }).catch((error: unknown) => error))).toBeUndefined();
    group.lastRequest = Date.now() - 2 * SESSION_MS;
    // kafkajs joins again after an error of this type.
    const error = await group.heartbeat({ interval: 0 }).catch((reason: unknown) => reason);
    expect(typeOf(error)).toBe('NOT_COORDINATOR_FOR_GROUP');
  });
});

describe("kafkajs' log", () => {
  const log = (level: logLevel, more: object) => {
    const lines: unknown[] = [];
    const write = (name: string) => (fields: object, message: string) => lines.push([name, message, fields]);
    const logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
    const log: LogEntry['log'] = { timestamp: '', message: 'Connection lost', ...more };
    logBridge(logger)(logLevel.INFO)({ namespace: 'Producer', level, label: '', log });
    return lines;
  };

  it('has warnings in place of errors, and our names of fields', () => {
    const theirs = { broker: 'b:1', groupId: 'g', offset: '7', error: new Error('reset'), retryCount: 2 };
    const fields = { name: 'kafkajs Producer', address: 'b:1', group: 'g', position: '7', reason: 'reset', attempt: 2 };
    expect(log(logLevel.ERROR, theirs)).toEqual([['warn', 'Connection lost', fields]]);
  });

  it('never contains the data of a message', () => {
    const line = ['debug', 'Connection lost', { name: 'kafkajs Producer' }];
    expect(log(logLevel.INFO, { payload: 'secret', key: 'k', stack: 's' })).toEqual([line]);
  });
});
