import { TransientError } from '@carbon/http';
import {
  type ConsumedRange,
  type FindStartPositions,
  type KafkaHandle,
  SharedBatches,
  type StorePosition,
  settledWithin,
  sleep,
  type TopicIdentity,
} from '@carbon/messaging';
import { Metrics } from '@carbon/observability';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { countLost, judgeStarts } from '../domain/positions.js';
import { KafkaClientFactory } from '../infrastructure.module.js';
import { requestMetrics } from '../offsets.metrics.js';
import { Database } from '../persistence/database.js';
import { type Fence, PartitionFences } from '../persistence/fence.js';
import { ProcessExit } from './process-exit.js';
import {
  insertRequestPositions,
  readRequestPositions,
  readRequestProgress,
  requestsLost,
  resetRequestPositions,
  storeRequestPositions,
} from './request-positions.js';
import type { ConsumptionProgress, Positions } from './topic-progress.js';

const POLL_MS = 1_000;
/** Kafka is queried less often than the database. */
const DATABASE_POLLS_PER_KAFKA_POLL = 5;
/** The maximum number of ranges in one statement: more than a topic has partitions. */
const MAX_RANGES = 10_000;

/** A range, and the fence under which its requests were recorded. */
interface RecordedRange {
  readonly range: ConsumedRange;
  readonly fence: Fence;
}

/**
 * Keeps the positions of `offset.requested` in PostgreSQL, with the recorded requests: a restored database brings its
 * own positions, and the requests that it lacks are consumed again. Ends the process when the database is restored or the
 * topic is re-created while it runs: its successor starts from the stored positions.
 */
@Injectable()
export class RequestPositionTracker implements BeforeApplicationShutdown {
  private readonly logger = new Logger(RequestPositionTracker.name);
  private readonly stopping = new AbortController();
  private readonly fences: PartitionFences;
  private readonly kafka: KafkaHandle;
  private readonly metrics;
  private identity: TopicIdentity | undefined;
  /** The highest stored position of each partition that this process has seen. */
  private readonly known = new Map<number, bigint>();
  /** Partitions that ended before their stored position in the last poll. */
  private suspects: readonly number[] = [];
  private watching: Promise<void> | undefined;
  /** Ranges of several partitions are stored by one statement. */
  private readonly ranges = new SharedBatches(MAX_RANGES, (recorded: readonly RecordedRange[]) => this.store(recorded));

  constructor(
    private readonly database: Database,
    kafka: KafkaClientFactory,
    private readonly exit: ProcessExit,
    metrics: Metrics,
  ) {
    this.fences = new PartitionFences(database.fence);
    this.kafka = kafka.create();
    this.metrics = metrics.of(requestMetrics);
    this.metrics.lost.set(0);
    this.metrics.truncated.inc(0);
  }

  /** Returns where the assigned partitions start. @throws Error while requests are lost */
  readonly findStartPositions: FindStartPositions = async (_, assigned) => {
    for (const partition of assigned) this.fences.begin(partition);
    const progress = await readRequestProgress(this.kafka, this.database.query);
    const { identity, partitions } = progress;
    this.requireSameTopic(identity);
    const { starts, lost, truncated } = judgeStarts(partitions);
    this.metrics.lost.set(Number(countLost(lost)));
    if (lost.length > 0) throw requestsLost(lost);
    if (!(await this.resetTruncated(progress, truncated)))
      throw new TransientError(
        'service_unavailable',
        'The topic offset.requested seems to be truncated; its positions are checked again.',
      );
    const isNew = partitions.filter(({ stored }) => stored === undefined);
    const begins = new Map(isNew.map(({ partition, begin }) => [partition, begin]));
    await insertRequestPositions(this.database.query, identity, begins);
    this.remember(await readRequestPositions(this.database.query, identity));
    this.identity = identity;
    this.watching ??= this.watch();
    return new Map([...starts].filter(([partition]) => assigned.includes(partition)));
  };

  /** Stores the position before it is committed to Kafka. Requests recorded on another database are recorded again. */
  readonly storePosition: StorePosition = async (range) => {
    if (!this.fences.isSame(range.partition)) return 'again';
    const stored = await this.ranges.submit([{ range, fence: this.database.fence.required() }]);
    const position = stored.get(range.partition);
    if (position === undefined) return 'again';
    // A statement stores one range per partition. Two ranges of a partition meet only after a rebalance.
    if (position < range.next) throw new Error('Another range of the partition was stored.');
    return undefined;
  };

  /** Returns the stored positions; lacks those of ranges that waited while the database was replaced. */
  private async store(recorded: readonly RecordedRange[]): Promise<Positions> {
    if (this.identity === undefined) throw new Error('Requests were consumed before their start was known.');
    const held = this.database.fence.required();
    const ranges = recorded.flatMap(({ range, fence }) => (fence === held ? [range] : []));
    if (ranges.length === 0) return new Map();
    const stored = await storeRequestPositions(this.database.query, this.identity, ranges);
    if (ranges.some(({ partition }) => !stored.has(partition))) throw this.end(olderDatabase());
    this.remember(stored);
    return stored;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await settledWithin(POLL_MS, this.watching);
  }

  /** Polls: a promoted standby or a re-created topic causes no new assignment, and idle partitions store no positions. */
  private async watch(): Promise<void> {
    for (let polls = 1; !this.stopping.signal.aborted; polls += 1) {
      await sleep(POLL_MS, this.stopping.signal);
      if (this.stopping.signal.aborted) return;
      await this.poll(polls % DATABASE_POLLS_PER_KAFKA_POLL === 0).catch((error: unknown) => {
        if (!(error instanceof TransientError) && !this.stopping.signal.aborted)
          this.logger.warn('The positions of the requests could not be read.', error);
      });
    }
  }

  private async poll(includesKafka: boolean): Promise<void> {
    if (this.identity === undefined) return;
    const known = new Map(this.known);
    const stored = await readRequestPositions(this.database.query, this.identity);
    for (const [partition, position] of known) {
      if ((stored.get(partition) ?? -1n) < position) throw this.end(olderDatabase());
    }
    if (!includesKafka) return;
    const progress = await readRequestProgress(this.kafka, this.database.query);
    this.requireSameTopic(progress.identity);
    const { lost, truncated } = judgeStarts(progress.partitions);
    // Even if this instance no longer has a partition, because the loss may have been accepted since.
    this.metrics.lost.set(Number(countLost(lost)));
    await this.resetTruncated(progress, truncated);
  }

  /** A process that has consumed one topic must not continue with another of the same name. */
  private requireSameTopic({ clusterId, topicId }: TopicIdentity): void {
    const { identity } = this;
    if (identity === undefined || (identity.clusterId === clusterId && identity.topicId === topicId)) return;
    throw this.end(new Error('The topic offset.requested was re-created while it was consumed.'));
  }

  /**
   * Resets the positions of partitions whose log ends before the stored position in two consecutive polls. They are then
   * read from their beginning.
   * @returns false if another poll is needed
   */
  private async resetTruncated(
    { identity, partitions }: ConsumptionProgress,
    truncated: readonly number[],
  ): Promise<boolean> {
    const certain = truncated.filter((partition) => this.suspects.includes(partition));
    this.suspects = truncated.filter((partition) => !certain.includes(partition));
    if (certain.length > 0) {
      const reset = partitions.filter(({ partition }) => certain.includes(partition));
      const begins = new Map(reset.map(({ partition, begin }) => [partition, begin]));
      await resetRequestPositions(this.database.query, identity, begins);
      for (const [partition, begin] of begins) this.known.set(partition, begin);
      this.metrics.truncated.inc(certain.length);
      this.logger.error('offset.requested has lost messages that were consumed; it is read from its beginning.', {
        partitions: certain,
      });
    }
    return this.suspects.length === 0;
  }

  private remember(stored: Positions): void {
    for (const [partition, position] of stored) {
      if (position > (this.known.get(partition) ?? -1n)) this.known.set(partition, position);
    }
  }

  private end(reason: Error): Error {
    this.exit.now(reason);
    return reason;
  }
}

function olderDatabase(): Error {
  return new Error(
    'PostgreSQL holds lower positions of offset.requested than it did: it was restored, or another process found the topic truncated.',
  );
}
