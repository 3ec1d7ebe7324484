import { setTimeout as sleep } from 'node:timers/promises';
import type { Asset } from '@carbon/contracts';
import {
  type Batch,
  type KafkaHandle,
  type PartitionEnds,
  type RejectedMessage,
  type StorePosition,
  topicEnds,
} from '@carbon/messaging';
import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { hasCaughtUp } from '../domain/reading.js';
import type { SupplyGate } from '../fulfillment/gate.js';
import type { Database } from '../persistence/database.js';
import { SameDatabase } from '../persistence/same-database.js';
import type { ProcessExit } from '../recovery/process-exit.js';
import { ASSETS, chooseReading, judge, type Reading, storedPositions, storeSupplyPosition } from './reading.js';
import { recordSupply } from './record-supply.js';
import { withdrawUnbrought } from './withdraw-unbrought.js';

const RETRY_MS = 1_000;
const LOOK_EVERY_MS = 200;
const JUDGE_EVERY_MS = 3_000;
/** A verdict counts when it is found twice: the first look may have been in the middle of a change. */
const JUDGEMENTS = 2;

interface Course {
  readonly reading: Reading;
  /** The ends of the topic just after it was chosen. */
  readonly ends: readonly PartitionEnds[];
}

/** Sees to it that the asset topic is followed, and opens the gate once its supply is known. Ends the process when it is another topic. */
export class FollowSupply implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(FollowSupply.name);
  private readonly chosen = Promise.withResolvers<Course>();
  private readonly stopping = new AbortController();
  private readonly recordedOn: SameDatabase;

  constructor(
    private readonly database: Database,
    private readonly kafka: KafkaHandle,
    private readonly gate: SupplyGate,
    private readonly exit: ProcessExit,
  ) {
    this.recordedOn = new SameDatabase(database.fence);
  }

  /** The reading that is followed; resolves once the database and Kafka could both be asked. */
  get reading(): Promise<Reading> {
    return this.chosen.promise.then(({ reading }) => reading);
  }

  /** Records what a partition says. @throws ReadingSuperseded */
  async record(batch: Batch<Asset>): Promise<RejectedMessage[]> {
    this.recordedOn.begin(batch.partition);
    return recordSupply(this.database, await this.reading, batch);
  }

  /** Ends the process, so that a supervisor starts one that follows the last reading; consumers cannot change groups. */
  startAfresh(reason: Error): void {
    this.logger.error('The asset topic must be read anew; this process ends, and its successor does.');
    this.exit.now(reason);
  }

  /** Stores how far a reading has come, dead letters included, before Kafka is told. */
  readonly storePosition: StorePosition = async (progress) => {
    const { reading, ends } = await this.chosen.promise;
    if (!this.recordedOn.isSame(progress.partition)) return 'again';
    const { begin } = ends.find(({ partition }) => partition === progress.partition) ?? { begin: 0n };
    if (await storeSupplyPosition(this.database.query, reading, progress, begin)) return undefined;
    const reason = new Error('PostgreSQL holds lower positions of asset.published than it did.');
    this.startAfresh(reason);
    throw reason;
  };

  onApplicationBootstrap(): void {
    void this.run();
  }

  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  /** Runs until the supply is known or the app stops; whatever is away is waited for. */
  private async run(): Promise<void> {
    await this.database.ready;
    const course = await this.persist(() => this.choose());
    if (course === undefined) return;
    this.chosen.resolve(course);
    void this.watch(course.reading);
    while (!(await this.persist(() => this.hasArrived(course)))) {
      if (this.isStopping) return;
      await this.pause(LOOK_EVERY_MS);
    }
    await this.persist(() => withdrawUnbrought(this.database, course.reading));
    this.gate.open();
    this.logger.log('The supply is known; credits can be given out.');
  }

  /** A topic that is created anew brings no new assignment, and a promoted standby no message. */
  private async watch(reading: Reading): Promise<void> {
    for (let doubts = 0; doubts < JUDGEMENTS; ) {
      await this.pause(JUDGE_EVERY_MS);
      const judged = await this.persist(() =>
        judge(this.database.query, this.kafka, () => topicEnds(this.kafka, ASSETS), reading),
      );
      if (judged === undefined) return;
      // Until all is read there are partitions that are stored and not committed yet, as if the group was forgotten.
      const isSign = judged.verdict === 'another topic' || (judged.verdict === 'again' && this.gate.isOpen);
      doubts = isSign ? doubts + 1 : 0;
      if (doubts === JUDGEMENTS) this.startAfresh(new Error(`The asset topic is to be read anew: ${judged.verdict}.`));
    }
  }

  private async choose(): Promise<Course> {
    const ends = () => topicEnds(this.kafka, ASSETS);
    const reading = await chooseReading(this.database, this.kafka, ends);
    return { reading, ends: await ends() };
  }

  private async hasArrived({ reading, ends }: Course): Promise<boolean> {
    const goal = new Map(ends.map((partition) => [partition.partition, partition]));
    return hasCaughtUp(goal, await storedPositions(this.database.query, reading));
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Tries until it works; undefined when the app stops. */
  private async persist<T>(attempt: () => Promise<T>): Promise<T | undefined> {
    while (!this.isStopping) {
      try {
        return await attempt();
      } catch (error) {
        this.logger.warn('The supply cannot be followed yet.', error);
        await this.pause(RETRY_MS);
      }
    }
    return undefined;
  }

  private async pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.stopping.signal }).catch(() => {});
  }
}
