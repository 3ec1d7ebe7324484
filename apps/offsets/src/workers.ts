import { TransientError } from '@carbon/http';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { pruneEstimates } from './estimates/estimate-pruner.js';
import { ReadinessGate } from './fulfillment/readiness-gate.js';
import { CreditReserver } from './fulfillment/reserve.js';
import { CreditRetirer } from './fulfillment/retire.js';
import { SingleTransactionPath } from './fulfillment/single-transaction.js';
import { WakeSignal, WakeSignals } from './fulfillment/wake-signal.js';
import { type Batch, Worker } from './fulfillment/worker.js';
import { OffsetMetrics } from './metrics/offset-metrics.js';
import { OFFSETS_CONFIG, type OffsetsConfig } from './offsets.config.js';
import { pruneOutbox } from './outbox/outbox-pruner.js';
import { OutboxRelay } from './outbox/outbox-relay.js';
import { Database } from './persistence/database.js';
import { StartCheck } from './recovery/start-check.js';
import { Registry } from './registry/registry.js';

const INTERVAL_MS = 1_000;
const PRUNE_INTERVAL_MS = 60 * 60 * 1_000;

/** The background workers of this process, and what wakes each. Other processes may run the same ones. */
@Injectable()
export class Workers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Workers.name);
  private readonly workers: readonly Worker[];
  private isStopped = false;

  constructor(
    private readonly database: Database,
    private readonly gate: ReadinessGate,
    private readonly registry: Registry,
    private readonly path: SingleTransactionPath,
    private readonly reserver: CreditReserver,
    private readonly retirer: CreditRetirer,
    private readonly relay: OutboxRelay,
    private readonly startCheck: StartCheck,
    @Inject(OFFSETS_CONFIG) { OUTBOX_RETENTION_DAYS }: OffsetsConfig,
    signals: WakeSignals,
    metrics: OffsetMetrics,
  ) {
    const worker = (name: string, batch: Batch, signal = new WakeSignal(), intervalMs = PRUNE_INTERVAL_MS) =>
      new Worker(
        name,
        metrics.countFailures(name, () => this.ifVerified(batch)),
        signal,
        intervalMs,
      );
    this.workers = [
      worker('offset', () => this.fulfillQueued(), signals.queued, INTERVAL_MS),
      worker('retire', () => retirer.run(), signals.reserved, INTERVAL_MS),
      worker('announce', () => relay.run(), signals.decided, INTERVAL_MS),
      worker('prune', async () => {
        await database.transaction((query) => pruneOutbox(query, OUTBOX_RETENTION_DAYS));
        return false;
      }),
      worker('prune-estimates', () => database.transaction(pruneEstimates)),
    ];
  }

  onApplicationBootstrap(): void {
    void this.startCheck.passed.then(() => {
      if (!this.isStopped) for (const worker of this.workers) worker.start();
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await Promise.all([this.path.stop(), ...this.workers.map((worker) => worker.stop())]);
    await this.retirer.stop();
    await this.relay.finish();
  }

  /** No worker starts on a database that was not compared with the published outcomes. */
  private async ifVerified(batch: Batch): Promise<boolean> {
    return this.database.fence.isHeld && batch();
  }

  /**
   * Completes queued offsets in one transaction, or reserves their credits for an external registry. A batch that fails because of
   * one row is reserved too, so that the other offsets do not wait for it: they are then retired in halves.
   */
  private async fulfillQueued(): Promise<boolean> {
    if (!this.gate.isOpen) return false;
    if (this.registry.isExternal) return this.reserver.run();
    try {
      return await this.path.completeQueued();
    } catch (error) {
      if (error instanceof TransientError) throw error;
      this.logger.error('A batch cannot be completed in one transaction; its credits are reserved first.', error);
      return this.reserver.run();
    }
  }
}
