import type { EachBatchPayload } from 'kafkajs';
import { type Backoff, backoffMs, sleep } from '../backoff.js';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import type { Assignment, PartitionOwnership } from './partition-ownership.js';

/**
 * Returns the positions from which partitions of a topic, by plain name, are consumed. Called at every assignment, again while
 * it throws, and again where messages disappeared before they were consumed. A partition that is left out is consumed from its
 * committed position.
 */
export type FindStartPositions = (topic: string, partitions: readonly number[]) => Promise<ReadonlyMap<number, bigint>>;

/** Moves the consumer to a position with its next fetch. Topic by full name. */
export type Seek = (to: { topic: string; partition: number; offset: string }) => void;

/** A batch of kafkajs, whose type lacks a member. */
export type FetchedBatch = EachBatchPayload['batch'] & {
  /** The position that was requested. */
  readonly fetchedOffset: string;
};

const BACKOFF: Backoff = { initialMs: 200, maxMs: 3_000 };

/**
 * Tracks the start positions of the assigned partitions, and how far each was consumed since. No batch is handled before the start
 * positions of its assignment are known; a batch fetched before the consumer was moved is stale then, and is fetched again from
 * the start position.
 */
export class StartPositions {
  private assignment: Assignment = {};
  private ready: Promise<void> = Promise.resolve();
  private areKnown = true;
  /** By topic and partition: the position of the next batch, unless messages are missing. */
  private readonly expected = new Map<string, bigint>();

  constructor(
    private readonly kafka: KafkaHandle,
    private readonly find: FindStartPositions | undefined,
    private readonly stopping: AbortSignal,
  ) {}

  /** Whether the start positions are known, so that messages are handled; for health. */
  get known(): boolean {
    return this.areKnown;
  }

  /** Finds the start positions of a new assignment, which replaces the previous one. */
  assigned(assignment: Assignment, seek: Seek): void {
    this.assignment = assignment;
    this.expected.clear();
    this.areKnown = this.find === undefined;
    if (this.areKnown) return;
    this.ready = this.seekAll(assignment, seek);
    // kafkajs may be restarting, and no batch waiting: the next assignment finds them again.
    this.ready.catch(() => {});
  }

  /** Waits until a batch may be handled. @returns the position from which it continues @throws as `ownership.check` */
  async admit({ topic, partition, fetchedOffset }: FetchedBatch, ownership: PartitionOwnership): Promise<bigint> {
    if (!this.areKnown) await ownership.waitFor(this.ready);
    ownership.check();
    const fetched = BigInt(fetchedOffset);
    const expected = this.expected.get(keyOf(topic, partition)) ?? fetched;
    // kafkajs silently continues at the topic's beginning when the requested position was deleted.
    if (fetched > expected && this.find) await ownership.waitFor(this.findAll(topic, [partition], this.assignment));
    return fetched < expected ? fetched : expected;
  }

  /** Records how far a partition was consumed. */
  consumed(topic: string, partition: number, next: bigint): void {
    this.expected.set(keyOf(topic, partition), next);
  }

  private async seekAll(assignment: Assignment, seek: Seek): Promise<void> {
    const found = Object.entries(assignment).map(async ([topic, partitions]) => {
      const starts = await this.findAll(topic, partitions, assignment);
      return [...starts].map(([partition, start]) => ({ topic, partition, start }));
    });
    const starts = (await Promise.all(found)).flat();
    if (this.assignment !== assignment || this.stopping.aborted) return;
    for (const { topic, partition, start } of starts) {
      seek({ topic, partition, offset: String(start) });
      this.expected.set(keyOf(topic, partition), start);
    }
    this.areKnown = true;
  }

  /** Retries until there is an answer, the consumer stops, or another assignment replaces this one. */
  private async findAll(
    topic: string,
    partitions: readonly number[],
    assignment: Assignment,
  ): Promise<ReadonlyMap<number, bigint>> {
    const plain = this.kafka.names.plain(topic);
    for (let failures = 1; this.assignment === assignment && !this.stopping.aborted; failures += 1) {
      try {
        return (await this.find?.(plain, partitions)) ?? new Map();
      } catch (error) {
        this.kafka.logger.error(
          { topic: plain, partitions, attempts: failures, err: error },
          'nothing is consumed until the start positions are known',
        );
        await sleep(backoffMs(failures, BACKOFF), this.stopping);
      }
    }
    return new Map();
  }
}

function keyOf(topic: string, partition: number): string {
  return `${topic} ${partition}`;
}
