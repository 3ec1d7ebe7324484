import { setTimeout as sleep } from 'node:timers/promises';
import { TransientError } from '@carbon/http';
import type { KafkaHandle } from '@carbon/messaging';
import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { Database } from '../persistence/database.js';
import { type DatabaseState, fenceHolds, noteServer, readDatabaseState } from '../persistence/fence.js';
import {
  holdsPositions,
  type KnownPositions,
  positionParameters,
  readPositions,
} from '../persistence/outcome-positions.js';
import { lacksOutcome } from './compare-outcomes.js';
import { type OutcomeRange, outcomeRanges } from './outcome-ranges.js';
import type { ProcessExit } from './process-exit.js';
import { readOutcomes } from './read-outcomes.js';
import type { Recovery } from './recover.js';
import { RecoveryStopped } from './recovery-stopped.js';
import { storeEnds } from './store-ends.js';

const RETRY_MS = 1_000;
const LOOK_EVERY_MS = 1_000;

/** The database went back behind what this process has seen: everything it holds in memory may be of an era that is gone. */
class OlderDatabase extends Error {
  override readonly name = 'OlderDatabase';
}

/**
 * Holds the fence of this process. Before anything is decided it compares the database with the outcomes that Kafka holds, and
 * has them recovered where the database lacks some; then it watches that the database stays the one it verified.
 */
export class StartCheck implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(StartCheck.name);
  private readonly opening = Promise.withResolvers<void>();
  private readonly stopping = new AbortController();
  /** What was verified first. Whoever has decided something must not go on in another epoch. */
  private verified: DatabaseState | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly kafka: KafkaHandle,
    private readonly positions: KnownPositions,
    private readonly recovery: Recovery,
    private readonly exit: ProcessExit,
  ) {}

  /** Resolves when the database holds every outcome that Kafka holds; nothing may be decided before. */
  get passed(): Promise<void> {
    return this.opening.promise;
  }

  onApplicationBootstrap(): void {
    this.running = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    // What reads Kafka at the moment ends by itself; nothing waits for it.
    await Promise.race([this.running, sleep(LOOK_EVERY_MS, undefined, { ref: false })]);
  }

  private async run(): Promise<void> {
    await Promise.race([this.database.ready, this.stopped()]);
    while (!this.isStopping) {
      const outcome = await this.attempt();
      if (outcome instanceof Error) return this.end(outcome);
      if (outcome === 'passed') {
        this.opening.resolve();
        await this.watch();
      } else await this.pause(RETRY_MS);
    }
  }

  /** An error where this process must end. */
  private async attempt(): Promise<'passed' | 'again' | Error> {
    try {
      return await this.check();
    } catch (error) {
      if (error instanceof RecoveryStopped || error instanceof OlderDatabase) return error;
      if (!this.isStopping) this.logger.warn('The database is not compared with the announced outcomes yet.', error);
      return 'again';
    }
  }

  private async check(): Promise<'passed' | 'again'> {
    const state = await readDatabaseState(this.database.query);
    await this.mustNotBeOlder(state);
    if (state.recovering) return this.recover(state);
    const ranges = await outcomeRanges(this.kafka, await readPositions(this.database.query));
    if (await this.lacksAny(ranges)) {
      if (this.verified !== undefined) throw new OlderDatabase('PostgreSQL lacks outcomes that were announced.');
      return this.recover(state);
    }
    if (this.isStopping) return 'again';
    const stored = await this.database.transaction(async (query) => {
      await noteServer(query, state);
      return storeEnds(query, state, ranges);
    });
    this.positions.follow(new Map(ranges.map(({ topic, topicId }) => [topic, topicId])));
    this.positions.replace(stored);
    this.verified = state;
    this.database.fence.hold(state);
    this.logger.log('The database holds every outcome that was announced.');
    return 'passed';
  }

  /** Another process may be recovering already; then this one looks again later. */
  private async recover(seen: DatabaseState): Promise<'again'> {
    await this.recovery.run(seen, this.stopping.signal);
    return 'again';
  }

  /** Kafka was asked for the ends before the tables are: what it has by then was committed before. */
  private async lacksAny(ranges: readonly OutcomeRange[]): Promise<boolean> {
    let lacks = false;
    await readOutcomes(this.kafka, ranges, async (outcomes) => {
      lacks = this.isStopping || (await lacksOutcome(this.database.query, outcomes));
      return lacks ? 'enough' : undefined;
    });
    return lacks && !this.isStopping;
  }

  /** @throws OlderDatabase */
  private async mustNotBeOlder(state: DatabaseState): Promise<void> {
    if (this.verified === undefined) return;
    if (state.epoch !== this.verified.epoch || state.recovering)
      throw new OlderDatabase('Another process found PostgreSQL older than the announced outcomes and recovers them.');
    const held = await this.database.query(`SELECT WHERE ${holdsPositions(1)}`, positionParameters(this.positions.all));
    if (held.length === 0) throw new OlderDatabase('PostgreSQL holds lower positions of outcomes than it did.');
  }

  /** Until the fence is lost. */
  private async watch(): Promise<void> {
    const { fence } = this.database;
    while (!this.isStopping && fence.isHeld) {
      await this.pause(LOOK_EVERY_MS);
      if (this.isStopping || !fence.isHeld) return;
      await this.look().catch((error: unknown) => {
        if (!(error instanceof TransientError)) this.logger.error('The database could not be watched.', error);
      });
    }
  }

  private async look(): Promise<void> {
    const { fence } = this.database;
    const held = await this.database.query(`SELECT WHERE ${fenceHolds(1)} AND ${holdsPositions(3)}`, [
      ...fence.parameters,
      ...positionParameters(this.positions.all),
    ]);
    if (held.length === 0) fence.lose();
  }

  private end(reason: Error): void {
    this.database.fence.release();
    this.exit.now(reason);
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async stopped(): Promise<void> {
    const { signal } = this.stopping;
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }

  private async pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.stopping.signal }).catch(() => {});
  }
}
