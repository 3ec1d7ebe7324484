import { setTimeout as sleep } from 'node:timers/promises';
import { committedPositions, endsOf, type KafkaHandle, type PartitionEnds } from '@carbon/messaging';
import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { hasCaughtUp } from '../domain/reading.js';
import type { SupplyGate } from '../pace/gate.js';
import type { Database } from '../persistence/database.js';
import { ASSETS, chooseReading, groupOf, type Reading, storedPositions, storePositions } from './reading.js';
import { withdrawUnbrought } from './withdraw-unbrought.js';

const RETRY_MS = 1_000;
const LOOK_EVERY_MS = 200;

interface Course {
  readonly reading: Reading;
  /** The ends of the topic just after it was chosen. */
  readonly ends: readonly PartitionEnds[];
}

/** Sees to it that the asset topic is followed, and opens the gate once its supply is known. */
export class FollowSupply implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(FollowSupply.name);
  private readonly chosen = Promise.withResolvers<Reading>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly database: Database,
    private readonly kafka: KafkaHandle,
    private readonly gate: SupplyGate,
  ) {}

  /** The reading that is followed; resolves once the database and Kafka could both be asked. */
  get reading(): Promise<Reading> {
    return this.chosen.promise;
  }

  /** Ends the process, so that a supervisor starts one that follows the last reading; consumers cannot change groups. */
  startAfresh(reason: Error): never {
    this.logger.error('Another process has begun to read the asset topic anew; this one ends, to follow it.', reason);
    process.exit(1);
  }

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
    this.chosen.resolve(course.reading);
    while (!(await this.persist(() => this.hasArrived(course)))) {
      if (this.isStopping) return;
      await this.pause(LOOK_EVERY_MS);
    }
    await this.persist(() => this.database.transaction((query) => withdrawUnbrought(query, course.reading)));
    this.gate.open();
    this.logger.log('The supply is known; credits can be given out.');
  }

  private async choose(): Promise<Course> {
    const ends = () => endsOf(this.kafka, ASSETS);
    const reading = await chooseReading(this.database, this.kafka, ends);
    return { reading, ends: await ends() };
  }

  /**
   * The tables say so, or else the group: it also counts messages that could not be read and were put aside. The tables
   * are told of those, or else the next start would take them for a database that was put back, and read all again.
   */
  private async hasArrived({ reading, ends }: Course): Promise<boolean> {
    const goal = new Map(ends.map((partition) => [partition.partition, partition]));
    const reached = await storedPositions(this.database.query, reading);
    if (hasCaughtUp(goal, reached)) return true;
    for (const { partition, position = 0n } of await committedPositions(this.kafka, groupOf(reading), ASSETS)) {
      if (position > (reached.get(partition) ?? 0n)) reached.set(partition, position);
    }
    if (!hasCaughtUp(goal, reached)) return false;
    await storePositions(this.database.query, reading, reached);
    return true;
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
