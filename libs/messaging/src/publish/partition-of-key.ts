import { type ICustomPartitioner, Partitioners } from 'kafkajs';

/** Constants of the hash, as Kafka's own clients have them. */
const SEED = 0x9747b28c;
const M = 0x5bd1e995;

/**
 * kafkajs' partitioner, and so that of Kafka's own clients: a key goes to the partition of its hash. Only the hash is
 * computed here, in numbers of 32 bits: kafkajs makes objects of 64 bits for every four bytes, and looks through all
 * partitions for each message. A message without a key, or with a partition of its own, is left to kafkajs.
 */
export const partitioner: ICustomPartitioner = () => {
  const others = Partitioners.DefaultPartitioner();
  return (args) => {
    const { key, partition } = args.message;
    if (key == null || partition != null) return others(args);
    const bytes = typeof key === 'string' ? Buffer.from(key) : key;
    return (murmur2(bytes) & 0x7fffffff) % args.partitionMetadata.length;
  };
};

/** MurmurHash2 in 32 bits (https://github.com/aappleby/smhasher). */
function murmur2(bytes: Buffer): number {
  const whole = bytes.length - (bytes.length % 4);
  let hash = SEED ^ bytes.length;
  for (let at = 0; at < whole; at += 4) {
    const four = Math.imul(bytes.readInt32LE(at), M);
    hash = Math.imul(hash, M) ^ Math.imul(four ^ (four >>> 24), M);
  }
  if (bytes.length > whole) hash = Math.imul(hash ^ bytes.readUIntLE(whole, bytes.length - whole), M);
  hash = Math.imul(hash ^ (hash >>> 13), M);
  return hash ^ (hash >>> 15);
}
