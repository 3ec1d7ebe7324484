import type { EachBatchPayload } from 'kafkajs';
import { type BackOff, pause, pauseAfter } from '../back-off.js';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import type { Assignment, PartitionHold } from './hold.js';

/**
 * Tells the positions from which partitions of a topic, by plain name, are consumed. It is asked at every assignment, again
 * while it throws, and again where messages have disappeared before they were consumed. A partition that it leaves out
 * is consumed from its committed position.
 */
export type StartsOf = (topic: string, partitions: readonly number[]) => Promise<ReadonlyMap<number, bigint>>;

/** Moves the consumer to a position, with its next fetch. Topic by full name. */
export type Seek = (place: { topic: string; partition: number; offset: string }) => void;

const AGAIN: BackOff = { firstMs: 200, lastMs: 3_000 };

/**
 * Keeps the starts of the partitions that are assigned to this member, and how far each was consumed since. No batch is
 * handled before the starts of its assignment are known; one that was fetched before the consumer was moved is stale then,
 * and comes again from the start.
 */
export class AssignedStarts {
  private assignment: Assignment = {};
  private ready: Promise<void> = Promise.resolve();
  private areKnown = true;
  /** By topic and partition: the position that the next batch begins with, unless messages are missing. */
  private readonly due = new Map<string, bigint>();

  constructor(
    private readonly kafka: KafkaHandle,
    private readonly startsOf: StartsOf | undefined,
    private readonly stopping: AbortSignal,
  ) {}

  /** Whether the assignment's starts are known, so that its messages are handled; for health. */
  get known(): boolean {
    return this.areKnown;
  }

  /** Asks for the starts of a new assignment, in place of those of the one before. */
  assigned(assignment: Assignment, seek: Seek): void {
    this.assignment = assignment;
    this.due.clear();
    this.areKnown = this.startsOf === undefined;
    if (!this.areKnown) this.ready = this.seekAll(assignment, seek);
  }

  /** @returns the position from which a batch continues what was consumed, once it may be handled @throws as `hold.check` */
  async admit({ topic, partition, fetchedOffset }: EachBatchPayload['batch'] & FetchedFrom, hold: PartitionHold) {
    if (!this.areKnown) await hold.until(this.ready);
    hold.check();
    const fetched = BigInt(fetchedOffset);
    const due = this.due.get(place(topic, partition)) ?? fetched;
    // kafkajs goes on at the topic's beginning, without a word, where what it asks for has been deleted.
    if (fetched > due && this.startsOf) await hold.until(this.ask(topic, [partition], this.assignment));
    return fetched < due ? fetched : due;
  }

  /** Notes how far a partition was consumed. */
  consumed(topic: string, partition: number, next: bigint): void {
    this.due.set(place(topic, partition), next);
  }

  private async seekAll(assignment: Assignment, seek: Seek): Promise<void> {
    const answers = Object.entries(assignment).map(async ([topic, partitions]) => {
      const starts = await this.ask(topic, partitions, assignment);
      return [...starts].map(([partition, start]) => ({ topic, partition, start }));
    });
    const starts = (await Promise.all(answers)).flat();
    if (this.assignment !== assignment || this.stopping.aborted) return;
    for (const { topic, partition, start } of starts) {
      seek({ topic, partition, offset: String(start) });
      this.due.set(place(topic, partition), start);
    }
    this.areKnown = true;
  }

  /** Asks until there is an answer, the consumer stops, or another assignment takes the place of this one. */
  private async ask(
    topic: string,
    partitions: readonly number[],
    assignment: Assignment,
  ): Promise<ReadonlyMap<number, bigint>> {
    const plain = this.kafka.names.plain(topic);
    for (let failures = 1; this.assignment === assignment && !this.stopping.aborted; failures += 1) {
      try {
        return (await this.startsOf?.(plain, partitions)) ?? new Map();
      } catch (error) {
        this.kafka.logger.error(
          { topic: plain, partitions, attempts: failures, err: error },
          'nothing is consumed until it is known from where',
        );
        await pause(pauseAfter(failures, AGAIN), this.stopping);
      }
    }
    return new Map();
  }
}

/** What kafkajs' batches have and their type does not. */
export interface FetchedFrom {
  /** The position that was asked for. */
  readonly fetchedOffset: string;
}

function place(topic: string, partition: number): string {
  return `${topic} ${partition}`;
}
