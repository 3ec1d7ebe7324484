import type { Bug } from '../bug.js';

/**
 * Lets kafkajs retry. Its retry omits the messages of partitions that moved to a broker that has already responded, yet
 * confirms them. Two defences are removed too: one call per leader, and that a confirmation must name the partition.
 * The batches are delayed, so that each spans several brokers.
 */
export const bug: Bug = {
  name: 'retries-of-kafkajs',
  breaks: 'A message that was never written is confirmed when the leader of its partition moves between two attempts.',
  edits: [
    {
      file: 'libs/messaging/src/publish/producer-connection.ts',
      find: '      retry: { retries: 0 },',
      replace: '      retry: { retries: 8 },',
    },
    {
      file: 'libs/messaging/src/publish/self-clocked-producer.ts',
      find: 'await this.attempt(this.connection.partitions.byLeader(batch));',
      replace: 'await this.attempt([[...batch]]);',
    },
    {
      file: 'libs/messaging/src/publish/self-clocked-producer.ts',
      find: '!this.confirm(entry, positions[at]));',
      replace: '!this.confirm(entry, positions[at] ?? { partition: entry.record.partition ?? 0, position: 0n }));',
    },
    {
      file: 'libs/messaging/src/publish/self-clocked-producer.ts',
      find: `      setImmediate(() => {
        this.scheduled = false;
        this.pump();
      }),`,
      replace: `      setTimeout(() => {
        this.scheduled = false;
        this.pump();
      }, 100),`,
    },
  ],
  fault: 'move-leaders',
  caughtBy: 'lost',
};
