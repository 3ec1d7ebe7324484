import { setTimeout as sleep } from 'node:timers/promises';
import { TransientError } from '@carbon/http';
import type { FindStartPositions, KafkaHandle, StorePosition, TopicIdentity } from '@carbon/messaging';
import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { countLost, judgeStarts } from '../domain/request-start.js';
import type { RequestNumbers } from '../metrics/request-numbers.js';
import type { Database } from '../persistence/database.js';
import { SameDatabase } from '../persistence/same-database.js';
import { lookAtRequests, type RequestsNow } from './look-at-requests.js';
import type { ProcessExit } from './process-exit.js';
import {
  beginRequestPositions,
  type Positions,
  readRequestPositions,
  resetRequestPositions,
  storeRequestPosition,
} from './request-positions.js';
import { RequestsLost } from './requests-lost.js';

const LOOK_EVERY_MS = 1_000;
/** Kafka is asked less often than the database. */
const LOOKS_PER_TOPIC_LOOK = 5;

/** What this process holds in memory belongs to a database or to a topic that is gone. */
class RequestsChanged extends Error {
  override readonly name = 'RequestsChanged';
}

/**
 * Keeps the positions of `offset.requested` in PostgreSQL, beside what was recorded of it: a database that was put back brings its
 * own positions along, and what it lacks is consumed again. Ends the process where it notices such a database, or another
 * topic of the same name, while it runs: its successor begins from what is stored.
 */
export class FollowRequests implements BeforeApplicationShutdown {
  private readonly logger = new Logger(FollowRequests.name);
  private readonly stopping = new AbortController();
  private identity: TopicIdentity | undefined;
  /** The highest stored position of each partition that this process has seen. */
  private readonly known = new Map<number, bigint>();
  /** Partitions that ended before their stored position when they were looked at last. */
  private suspects: readonly number[] = [];
  private readonly recordedOn: SameDatabase;
  private watching: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly kafka: KafkaHandle,
    private readonly exit: ProcessExit,
    private readonly numbers: RequestNumbers,
  ) {
    this.recordedOn = new SameDatabase(database.fence);
  }

  /** Where the partitions that are assigned to this process begin. @throws RequestsLost */
  readonly findStartPositions: FindStartPositions = async (_, partitions) => {
    for (const partition of partitions) this.recordedOn.begin(partition);
    const now = await lookAtRequests(this.kafka, this.database.query);
    this.mustBe(now.identity);
    const { starts, lost, truncated } = judgeStarts(now.partitions);
    this.numbers.lost(Number(countLost(lost)));
    if (lost.length > 0) throw new RequestsLost(lost);
    if (!(await this.resetTruncated(now, truncated)))
      throw new TransientError('service_unavailable', 'A topic seems to have become shorter; it is looked at again.');
    const isNew = now.partitions.filter(({ stored }) => stored === undefined);
    await beginRequestPositions(
      this.database.query,
      now.identity,
      new Map(isNew.map(({ partition, begin }) => [partition, begin])),
    );
    this.see(await readRequestPositions(this.database.query, now.identity));
    this.identity = now.identity;
    this.watching ??= this.watch();
    return new Map([...starts].filter(([partition]) => partitions.includes(partition)));
  };

  /** Stores progress before Kafka is told. What was recorded on the database of before is to be recorded again. */
  readonly storePosition: StorePosition = async (progress) => {
    if (this.identity === undefined) throw new Error('Requests were consumed before it was known from where.');
    if (!this.recordedOn.isSame(progress.partition)) return 'again';
    const position = await storeRequestPosition(this.database.query, this.identity, progress);
    if (position === undefined) throw this.end(older());
    this.see(new Map([[progress.partition, position]]));
    return undefined;
  };

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.race([this.watching, sleep(LOOK_EVERY_MS, undefined, { ref: false })]);
  }

  /** Looks again and again: a promoted standby, or a topic made anew, brings no new assignment, and idle partitions no progress. */
  private async watch(): Promise<void> {
    for (let looks = 1; !this.stopping.signal.aborted; looks += 1) {
      await sleep(LOOK_EVERY_MS, undefined, { signal: this.stopping.signal }).catch(() => {});
      if (this.stopping.signal.aborted) return;
      await this.look(looks % LOOKS_PER_TOPIC_LOOK === 0).catch((error: unknown) => {
        if (!(error instanceof TransientError) && !this.stopping.signal.aborted)
          this.logger.warn('The positions of the requests could not be looked at.', error);
      });
    }
  }

  private async look(atTopic: boolean): Promise<void> {
    if (this.identity === undefined) return;
    const known = new Map(this.known);
    const stored = await readRequestPositions(this.database.query, this.identity);
    for (const [partition, position] of known) {
      if ((stored.get(partition) ?? -1n) < position) throw this.end(older());
    }
    if (!atTopic) return;
    const now = await lookAtRequests(this.kafka, this.database.query);
    this.mustBe(now.identity);
    await this.resetTruncated(now, judgeStarts(now.partitions).truncated);
  }

  /** A process that has consumed one topic must not go on with another of the same name. */
  private mustBe(identity: TopicIdentity): void {
    const { identity: before } = this;
    if (before === undefined) return;
    if (before.clusterId !== identity.clusterId || before.topicId !== identity.topicId)
      throw this.end(new RequestsChanged('The topic offset.requested was created anew while it was consumed.'));
  }

  /**
   * A log that ends before the stored position was truncated, where that is seen twice: it is read from its beginning.
   * @returns false where it must be looked at once more
   */
  private async resetTruncated({ identity, partitions }: RequestsNow, truncated: readonly number[]): Promise<boolean> {
    const certain = truncated.filter((partition) => this.suspects.includes(partition));
    this.suspects = truncated.filter((partition) => !certain.includes(partition));
    if (certain.length > 0) {
      const begins = partitions.filter(({ partition }) => certain.includes(partition));
      await resetRequestPositions(
        this.database.query,
        identity,
        new Map(begins.map(({ partition, begin }) => [partition, begin])),
      );
      for (const { partition, begin } of begins) this.known.set(partition, begin);
      this.numbers.truncated(certain.length);
      this.logger.error('offset.requested has lost messages that were consumed; it is read from its beginning.', {
        partitions: certain,
      });
    }
    return this.suspects.length === 0;
  }

  private see(stored: Positions): void {
    for (const [partition, position] of stored) {
      if (position > (this.known.get(partition) ?? -1n)) this.known.set(partition, position);
    }
  }

  private end(reason: Error): Error {
    this.exit.now(reason);
    return reason;
  }
}

function older(): Error {
  return new RequestsChanged(
    'PostgreSQL holds lower positions of offset.requested than it did: it was put back, or another process found the topic truncated.',
  );
}
