import type { Asset } from '@carbon/contracts';
import {
  type Batch,
  hasNeverHadMessages,
  type KafkaHandle,
  type PartitionEnds,
  type StorePosition,
  sleep,
  topicEnds,
} from '@carbon/messaging';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { hasCaughtUp } from '../domain/positions.js';
import { ReadinessGate } from '../fulfillment/readiness-gate.js';
import { KafkaClientFactory } from '../infrastructure.module.js';
import { Database } from '../persistence/database.js';
import { PartitionFences } from '../persistence/fence.js';
import { ProcessExit } from '../recovery/process-exit.js';
import { hasSupplyOfDeletedTopic, RebuildSuperseded, recordSupply, withdrawMissing } from './record-supply.js';
import {
  ASSETS,
  chooseRebuild,
  judgeRebuild,
  type SupplyRebuild,
  storedPositions,
  storeSupplyPosition,
} from './supply-rebuild.js';

const RETRY_MS = 1_000;
const CATCH_UP_POLL_MS = 200;
const JUDGE_EVERY_MS = 3_000;
/** The library counts as published on a re-created topic after this time without a message. */
const QUIET_MS = 5_000;
/** The maximum wait for such a pause, from the first message seen: a continuous feed never pauses. */
const MAX_PUBLICATION_MS = 600_000;
/** The process ends after this many consecutive verdicts that require it: a single one may come from the middle of a change. */
const VERDICTS_TO_EXIT = 2;

interface FollowedRebuild {
  readonly rebuild: SupplyRebuild;
  /** The ends of the topic just after the rebuild was chosen. */
  readonly ends: readonly PartitionEnds[];
}

/**
 * Follows the asset topic and opens the readiness gate once its supply is known. Ends the process when the topic must
 * be read again.
 */
@Injectable()
export class SupplyConsumer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SupplyConsumer.name);
  private readonly chosen = Promise.withResolvers<FollowedRebuild>();
  private readonly stopping = new AbortController();
  private readonly fences: PartitionFences;
  private readonly kafka: KafkaHandle;
  private hasWarnedOfNewTopic = false;
  /** Whether the supply is recorded up to the ends that the topic had when the rebuild was chosen. */
  private hasReadAll = false;
  /** When the first message on a re-created topic was seen, in ms of `performance.now()`. */
  private publicationSeenAt: number | undefined;

  constructor(
    private readonly database: Database,
    kafka: KafkaClientFactory,
    private readonly gate: ReadinessGate,
    private readonly exit: ProcessExit,
  ) {
    this.fences = new PartitionFences(database.fence);
    this.kafka = kafka.create();
  }

  /** Resolves with the followed rebuild once the database and Kafka have responded. */
  get rebuild(): Promise<SupplyRebuild> {
    return this.chosen.promise.then(({ rebuild }) => rebuild);
  }

  /** Records a batch. */
  async record(batch: Batch<Asset>): Promise<void> {
    this.fences.begin(batch.partition);
    const rebuild = await this.rebuild;
    await this.endIfSuperseded(() => recordSupply(this.database, rebuild, batch));
  }

  /** Stores the position of handled and dead-lettered messages before it is committed to Kafka. */
  readonly storePosition: StorePosition = async (progress) => {
    const { rebuild, ends } = await this.chosen.promise;
    if (!this.fences.isSame(progress.partition)) return 'again';
    const { begin } = ends.find(({ partition }) => partition === progress.partition) ?? { begin: 0n };
    if (await storeSupplyPosition(this.database.query, rebuild, progress, begin)) return undefined;
    const reason = new Error(
      'PostgreSQL has lower positions of asset.published than before: it was restored, or a standby was promoted.',
    );
    this.end(reason);
    throw reason;
  };

  onApplicationBootstrap(): void {
    void this.run();
  }

  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  /** Returns when the supply is known or the app stops; `watch` continues. */
  private async run(): Promise<void> {
    await this.database.ready;
    const followed = await this.retry(() => this.choose());
    if (followed === undefined) return;
    this.chosen.resolve(followed);
    void this.watch(followed.rebuild);
    while (!(await this.retry(() => this.finish(followed)))) {
      if (this.stopping.signal.aborted) return;
      await sleep(CATCH_UP_POLL_MS, this.stopping.signal);
    }
    this.gate.open();
    this.logger.log('The supply is known; credits can be allocated.');
  }

  /** Polls, because Kafka does not reassign partitions when a topic is re-created, and a promoted standby sends no message. */
  private async watch(rebuild: SupplyRebuild): Promise<void> {
    for (let count = 0; count < VERDICTS_TO_EXIT; ) {
      await sleep(JUDGE_EVERY_MS, this.stopping.signal);
      const judged = await this.retry(() => judgeRebuild(this.database.query, this.kafka, rebuild));
      if (judged === undefined) return;
      // During catch-up a position may be stored but not committed yet, which looks like an expired group.
      const mustEnd = judged.verdict === 'topicRecreated' || (judged.verdict === 'rebuild' && this.hasReadAll);
      count = mustEnd ? count + 1 : 0;
      if (count === VERDICTS_TO_EXIT)
        this.end(new Error(`The asset topic must be read from its beginning: ${judged.verdict}.`));
    }
  }

  private async choose(): Promise<FollowedRebuild> {
    const rebuild = await chooseRebuild(this.database, this.kafka);
    return { rebuild, ends: await topicEnds(this.kafka, ASSETS) };
  }

  /** Once the topic is read, withdraws the assets that the rebuild did not find. Returns false if it is too early or the app stops. */
  private async finish({ rebuild, ends }: FollowedRebuild): Promise<boolean> {
    if (!(await this.hasReached(rebuild, ends))) return false;
    this.hasReadAll = true;
    if ((await hasSupplyOfDeletedTopic(this.database.query)) && !(await this.isPublishedAnew(rebuild))) return false;
    await this.endIfSuperseded(() => withdrawMissing(this.database, rebuild));
    return !this.stopping.signal.aborted;
  }

  private async hasReached(rebuild: SupplyRebuild, ends: readonly PartitionEnds[]): Promise<boolean> {
    return hasCaughtUp(ends, await storedPositions(this.database.query, rebuild));
  }

  /**
   * Returns whether the library was published on the re-created topic and is recorded: a message was seen, and then none for
   * `QUIET_MS`, or `MAX_PUBLICATION_MS` have passed. Before that, assets that are not published yet would be withdrawn, and offsets
   * would fail with `insufficient_supply`.
   */
  private async isPublishedAnew(rebuild: SupplyRebuild): Promise<boolean> {
    const before = await topicEnds(this.kafka, ASSETS);
    if (!this.hasWarnedOfNewTopic) {
      this.hasWarnedOfNewTopic = true;
      this.logger.error(
        'The asset topic was re-created and lacks active assets of the database: no credits are allocated until the library ' +
          'is published. Publish it: `npm run assets -- publish <file>`',
      );
    }
    const isEmpty = hasNeverHadMessages(before);
    if (!isEmpty) this.publicationSeenAt ??= performance.now();
    await sleep(QUIET_MS, this.stopping.signal);
    if (this.stopping.signal.aborted || isEmpty) return false;
    const ends = await topicEnds(this.kafka, ASSETS);
    const isQuiet = ends.every((one) => before.find(({ partition }) => partition === one.partition)?.end === one.end);
    const isLate = performance.now() - (this.publicationSeenAt ?? 0) > MAX_PUBLICATION_MS;
    return (isQuiet || isLate) && (await this.hasReached(rebuild, before));
  }

  /** Ends the process if another rebuild is the latest, because consumers cannot change groups. */
  private async endIfSuperseded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof RebuildSuperseded) this.end(error);
      throw error;
    }
  }

  /** Retries until `attempt` succeeds; undefined when the app stops. */
  private async retry<T>(attempt: () => Promise<T>): Promise<T | undefined> {
    while (!this.stopping.signal.aborted) {
      try {
        return await attempt();
      } catch (error) {
        this.logger.warn('Following the asset topic failed; retrying.', error);
        await sleep(RETRY_MS, this.stopping.signal);
      }
    }
    return undefined;
  }

  private end(reason: Error): void {
    this.logger.error(
      'This process cannot continue to follow the asset topic and ends; its successor resumes the latest rebuild or begins one.',
    );
    this.exit.now(reason);
  }
}
