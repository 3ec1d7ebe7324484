import { once } from 'node:events';
import { TransientError } from '@carbon/http';
import { type KafkaHandle, settledWithin, sleep } from '@carbon/messaging';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { KafkaClientFactory } from '../infrastructure.module.js';
import { Database } from '../persistence/database.js';
import { type DatabaseState, fenceHolds, readDatabaseState, storeServer } from '../persistence/fence.js';
import {
  holdsPositions,
  OutcomePositions,
  positionParameters,
  readOutcomePositions,
} from '../persistence/outcome-positions.js';
import { lacksOutcome } from './compare-outcomes.js';
import { type OutcomeRange, outcomeRanges, storeEnds } from './outcome-ranges.js';
import { readOutcomes } from './outcomes.js';
import { ProcessExit, RecoveryStopped } from './process-exit.js';
import { Recovery } from './recovery.js';

const RETRY_MS = 1_000;
const POLL_MS = 1_000;

/** The database is older than the state that this process has seen, so its memory may contain changes that the database lacks. */
class OlderDatabase extends Error {
  override readonly name = 'OlderDatabase';
}

/**
 * Holds the fence of this process. Compares the database with the outcomes in Kafka before the process decides any offset, and recovers
 * those that the database lacks. Then keeps checking that the database is still the verified one.
 */
@Injectable()
export class StartCheck implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(StartCheck.name);
  private readonly verification = Promise.withResolvers<void>();
  private readonly stopping = new AbortController();
  private readonly kafka: KafkaHandle;
  /** The state at the last verification. A process that has decided something must not continue in another epoch. */
  private verifiedState: DatabaseState | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    kafka: KafkaClientFactory,
    private readonly positions: OutcomePositions,
    private readonly recovery: Recovery,
    private readonly exit: ProcessExit,
  ) {
    this.kafka = kafka.create();
  }

  /** Resolves when the database holds every published outcome. The process must not decide an offset before. */
  get passed(): Promise<void> {
    return this.verification.promise;
  }

  onApplicationBootstrap(): void {
    this.running = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    // A read of Kafka cannot be aborted, so this waits only briefly for it.
    await settledWithin(POLL_MS, this.running);
  }

  private async run(): Promise<void> {
    await Promise.race([this.database.ready, once(this.stopping.signal, 'abort')]);
    while (!this.isStopping) {
      const result = await this.attempt();
      if (result instanceof Error) {
        this.database.fence.release();
        return this.exit.now(result);
      }
      if (result === 'passed') {
        this.verification.resolve();
        await this.watch();
      } else await sleep(RETRY_MS, this.stopping.signal);
    }
  }

  /** Returns an error if this process must exit. */
  private async attempt(): Promise<'passed' | 'again' | Error> {
    try {
      return await this.check();
    } catch (error) {
      if (error instanceof RecoveryStopped || error instanceof OlderDatabase) return error;
      if (!this.isStopping)
        this.logger.warn('The database has not been compared with the published outcomes yet.', error);
      return 'again';
    }
  }

  private async check(): Promise<'passed' | 'again'> {
    const { query } = this.database;
    const state = await readDatabaseState(query);
    await this.requireNotOlder(state);
    if (state.recovering) return this.recover(state);
    const ranges = await outcomeRanges(this.kafka, await readOutcomePositions(query));
    if (await this.lacksAny(ranges)) {
      if (this.verifiedState !== undefined) throw new OlderDatabase('PostgreSQL lacks published outcomes.');
      return this.recover(state);
    }
    if (this.isStopping) return 'again';
    const stored = await this.database.transaction(async (query) => {
      await storeServer(query, state);
      return storeEnds(query, state, ranges);
    });
    this.positions.reset(new Map(ranges.map(({ topic, topicId }) => [topic, topicId])), stored);
    this.verifiedState = state;
    this.database.fence.hold(state);
    this.logger.log('The database holds every published outcome.');
    return 'passed';
  }

  /** Another process may be recovering already; then this one checks again later. */
  private async recover(seen: DatabaseState): Promise<'again'> {
    await this.recovery.run(seen, this.stopping.signal);
    return 'again';
  }

  /** Kafka's ends are read before the tables, because an outcome is committed before it is published. */
  private async lacksAny(ranges: readonly OutcomeRange[]): Promise<boolean> {
    let lacks = false;
    await readOutcomes(this.kafka, ranges, async (outcomes) => {
      lacks = this.isStopping || (await lacksOutcome(this.database.query, outcomes));
      return lacks ? 'enough' : undefined;
    });
    return lacks && !this.isStopping;
  }

  /** @throws OlderDatabase */
  private async requireNotOlder(state: DatabaseState): Promise<void> {
    if (this.verifiedState === undefined) return;
    if (state.epoch !== this.verifiedState.epoch || state.recovering)
      throw new OlderDatabase('Another process found PostgreSQL older than the published outcomes and recovers them.');
    const parameters = positionParameters(this.positions.stored);
    const fenceRows = await this.database.query(`SELECT WHERE ${holdsPositions(1)}`, parameters);
    if (fenceRows.length === 0) throw new OlderDatabase('PostgreSQL holds lower positions of outcomes than it did.');
  }

  /** Runs until the fence is lost. */
  private async watch(): Promise<void> {
    const { fence } = this.database;
    while (!this.isStopping && fence.isHeld) {
      await sleep(POLL_MS, this.stopping.signal);
      if (this.isStopping || !fence.isHeld) return;
      await this.checkFence().catch((error: unknown) => {
        if (!(error instanceof TransientError)) this.logger.error('The database could not be checked.', error);
      });
    }
  }

  private async checkFence(): Promise<void> {
    const { fence } = this.database;
    const fenceRows = await this.database.query(`SELECT WHERE ${fenceHolds(1)} AND ${holdsPositions(3)}`, [
      ...fence.parameters,
      ...positionParameters(this.positions.stored),
    ]);
    if (fenceRows.length === 0) fence.lose();
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }
}
