import { createRequire } from 'node:module';
import fc from 'fast-check';
import { type UnwrittenRecord, type WrittenRecord, writeRecord } from './write-record.js';

const require = createRequire(import.meta.url);
const PLACE = 'kafkajs/src/protocol/recordBatch/record/v0/index.js';
const byKafkajs: (record: UnwrittenRecord) => WrittenRecord = require(PLACE);

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constant('ü€😀'.repeat(50)));
const bytes = fc.uint8Array({ maxLength: 20_000 }).map((array) => Buffer.from(array));
const word = fc.oneof(text, bytes);
const record = fc.record(
  {
    offsetDelta: fc.nat(),
    timestampDelta: fc.nat({ max: 2 ** 31 - 1 }),
    key: fc.option(word),
    value: fc.option(word),
    headers: fc.dictionary(text, fc.oneof(word, fc.array(word, { maxLength: 3 })), { maxKeys: 12 }),
  },
  { requiredKeys: ['key', 'value'] },
);

describe('a record for Kafka', () => {
  it('has the bytes that kafkajs gives it, whatever it holds', () => {
    fc.assert(
      fc.property(record, (one) => expect(writeRecord(one).buffer.equals(byKafkajs(one).buffer)).toBe(true)),
      { numRuns: 1_000 },
    );
  });

  it('may come long after the first of its batch', () => {
    const [second = 0, month = 0] = [1_000, 1_000 * 60 * 60 * 24 * 30];
    for (const timestampDelta of [0, 63, 64, second, month]) {
      const late = { timestampDelta, key: 'k', value: 'v' };
      expect(writeRecord(late).buffer).toEqual(byKafkajs(late).buffer);
    }
  });

  it('cannot come before the first of its batch', () => {
    for (const early of [{ timestampDelta: -1 }, { offsetDelta: -1 }])
      expect(() => writeRecord({ ...early, key: 'k', value: 'v' })).toThrow(RangeError);
  });
});
