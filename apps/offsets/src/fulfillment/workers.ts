import { TransientError } from '@carbon/http';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { Claim } from '../domain/claim.js';
import { EstimatePruner } from '../estimates/estimate-pruner.js';
import { OffsetMetrics } from '../metrics/offset-metrics.js';
import { OutboxPruner } from '../outbox/outbox-pruner.js';
import { OutboxRelay } from '../outbox/outbox-relay.js';
import { Database } from '../persistence/database.js';
import { StartCheck } from '../recovery/start-check.js';
import { Bell, Bells } from './bell.js';
import { SupplyGate } from './gate.js';
import { ReserveCredits } from './reserve-credits.js';
import { RetireOffsets } from './retire-offsets.js';
import { StraightThrough } from './straight-through.js';
import { type Batch, Worker } from './worker.js';

const SWEEP_MS = 1_000;
const PRUNE_EVERY_MS = 60 * 60 * 1_000;

/** The loops of this process: who does what, and what wakes them. Other processes may run the same ones. */
@Injectable()
export class Workers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Workers.name);
  private readonly workers: readonly Worker[];
  private held: Claim | undefined;
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly gate: SupplyGate,
    private readonly reserveCredits: ReserveCredits,
    private readonly retireOffsets: RetireOffsets,
    private readonly relayEvents: OutboxRelay,
    private readonly straightThrough: StraightThrough,
    private readonly startCheck: StartCheck,
    pruneOutbox: OutboxPruner,
    pruneEstimates: EstimatePruner,
    bells: Bells,
    numbers: OffsetMetrics,
  ) {
    const worker = (name: string, batch: Batch, bell: Bell, sweepMs: number) =>
      new Worker(
        name,
        numbers.watched(name, () => this.whileVerified(batch)),
        bell,
        sweepMs,
      );
    this.workers = [
      worker('offset', () => this.allocateAndRetire(), bells.queued, SWEEP_MS),
      worker('retire', () => retireOffsets.sweep(), bells.reserved, SWEEP_MS),
      worker('announce', () => relayEvents.run(), bells.decided, SWEEP_MS),
      worker('prune', () => pruneOutbox.run(), new Bell(), PRUNE_EVERY_MS),
      worker('prune-estimates', () => pruneEstimates.run(), new Bell(), PRUNE_EVERY_MS),
    ];
  }

  onApplicationBootstrap(): void {
    void this.startCheck.passed.then(() => {
      if (!this.stopped) for (const worker of this.workers) worker.start();
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await Promise.all([this.straightThrough.stop(), ...this.workers.map((worker) => worker.stop())]);
    await this.retireOffsets.stop();
    await this.relayEvents.finish();
  }

  /** Nothing is begun on a database that has not been compared with what was announced. */
  private async whileVerified(batch: Batch): Promise<boolean> {
    return this.database.fence.isHeld && batch();
  }

  /**
   * What is given credits is retired with it, in one transaction, where the registry is built in; else it is handed over to
   * those who ask an external one. Should that fail, the same claim is tried again, until its lease has run out and somebody
   * has taken it over.
   */
  private async allocateAndRetire(): Promise<boolean> {
    if (!this.gate.isOpen) return false;
    this.held ??= await this.reserve();
    if (this.held === undefined) return false;
    await this.retireOffsets.run(this.held);
    this.held = undefined;
    return true;
  }

  /** Where one of a batch cannot be retired, the others must not wait for it: they are held, and then settled in halves. */
  private async reserve(): Promise<Claim | undefined> {
    try {
      return await this.retireOffsets.atOnce((settle) => this.reserveCredits.run(settle));
    } catch (error) {
      if (error instanceof TransientError) throw error;
      this.logger.error('A batch cannot be retired as one; it is reserved first.', error);
      return this.reserveCredits.run();
    }
  }
}
