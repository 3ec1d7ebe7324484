import { hash } from 'node:crypto';
import { type Message, Partitioners, type PartitionMetadata } from 'kafkajs';
import { partitioner } from './partition-of-key.js';

const partitions = (count: number): PartitionMetadata[] =>
  Array.from({ length: count }, (_, partitionId) => ({
    partitionErrorCode: 0,
    partitionId,
    leader: 1,
    replicas: [1],
    isr: [1],
  }));
const MANY = partitions(10_007);
const [ours, theirs] = [partitioner(), Partitioners.DefaultPartitioner()];
const place = (message: Message, partitionMetadata = MANY) => ({ topic: 't', partitionMetadata, message });

describe('the partition of a key', () => {
  it('is the one that kafkajs finds, for keys of every length and kind', () => {
    for (let length = 0; length <= 64; length += 1) {
      for (let n = 0; n < 20; n += 1) {
        const bytes = hash('sha512', `${length} ${n}`, 'buffer').subarray(0, length);
        for (const key of [bytes, bytes.toString('latin1'), bytes.toString('base64')]) {
          const asked = place({ key, value: null }, MANY.slice(n));
          expect(ours(asked)).toBe(theirs(asked));
        }
      }
    }
  });

  it('is the one that the message names', () => {
    expect(ours(place({ key: 'k', value: null, partition: 7 }))).toBe(7);
  });

  it('is another each time for a message without a key', () => {
    const asked = place({ value: 'v' }, partitions(3));
    expect(new Set([ours(asked), ours(asked), ours(asked)])).toEqual(new Set([0, 1, 2]));
  });
});
