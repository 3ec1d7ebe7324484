import { backoffMs, SharedBatches, settledWithin, sleep } from '@carbon/messaging';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { OffsetMetrics } from '../metrics/offset-metrics.js';
import { OFFSETS_CONFIG } from '../offsets.config.js';
import { BatchSize } from '../persistence/batch-size.js';
import { Database } from '../persistence/database.js';
import { type RegistryConfig } from '../registry/registry.config.js';
import { Registry, type RegistryAnswer, type RetirementOrder } from '../registry/registry.js';
import { type Claim, claimReserved } from './claim.js';
import { isStale, withLease } from './lease.js';
import { type AnsweredOffset, AnswerRecorder } from './record-answers.js';
import { WakeSignals } from './wake-signal.js';

/** How long calls may continue after shutdown begins. */
const GRACE_MS = 1_000;
/** Claims wait until 1/MIN_PART of the calls are free, because claiming one offset costs as much as several. */
const MIN_PART = 4;
/** The maximum number of offsets in one claim. */
const MAX_CLAIM_SIZE = 500;
/** The maximum number of answers that wait to be recorded, and that are recorded together. */
const MAX_RECORDING = 500;
/** Attempts to record an answer before it is dropped. A suspended process locks rows for up to 5 s. */
const RECORD_ATTEMPTS = 10;
const RECORD_AGAIN_MS = 500;

/** The pauses between attempts at one offset, and the number of failed attempts between logged errors. */
export type RetrySettings = Pick<
  RegistryConfig,
  'REGISTRY_RETRY_MIN_MS' | 'REGISTRY_RETRY_MAX_MS' | 'REGISTRY_ALARM_ATTEMPTS'
>;

/**
 * Retires reserved offsets: claims them under a lease, asks the registry, and records each answer in a transaction.
 * Calls about an offset again, with backoff, until the answer is definite. Calls about as many offsets at once
 * as the registry has capacity for, including offsets that another process reserved.
 */
@Injectable()
export class CreditRetirer {
  private readonly logger = new Logger(CreditRetirer.name);
  private readonly stopping = new AbortController();
  private readonly size = new BatchSize(MAX_CLAIM_SIZE);
  private readonly claims = new Set<Promise<void>>();
  private readonly answers: SharedBatches<AnsweredOffset, void>;
  private calling = 0;
  private recording = 0;
  private isStopped = false;

  constructor(
    private readonly database: Database,
    private readonly registry: Registry,
    recorder: AnswerRecorder,
    private readonly signals: WakeSignals,
    @Inject(OFFSETS_CONFIG) private readonly settings: RetrySettings,
    private readonly metrics?: OffsetMetrics,
  ) {
    this.answers = new SharedBatches(MAX_RECORDING, (answered: readonly AnsweredOffset[]) => recorder.run(answered));
  }

  /** Claims as many due offsets as there is capacity for, without waiting for the answers. Returns whether there may be more. */
  async run(): Promise<boolean> {
    const capacity = this.availableCapacity();
    if (capacity === 0) return false;
    const { isExternal } = this.registry;
    const maxWaitMs = isExternal ? this.settings.REGISTRY_RETRY_MAX_MS : 0;
    const sentAt = performance.now();
    let limit = capacity;
    const claim = await this.size.withCurrentSize((size) => {
      limit = Math.min(capacity, size);
      return this.database.transaction((query) => claimReserved(query, { limit, isExternal, maxWaitMs }));
    });
    if (claim.orders.length === 0 || isStale(sentAt)) return false;
    this.metrics?.countExpiredLeases('offsets', claim.reclaimed);
    this.calling += claim.orders.length;
    const inProgress = this.ask(claim);
    this.claims.add(inProgress);
    void inProgress.finally(() => this.claims.delete(inProgress));
    return claim.orders.length === limit;
  }

  /** Resolves when no call to the registry and no recording is in progress. */
  async idle(): Promise<void> {
    while (this.claims.size > 0) await Promise.all(this.claims);
  }

  /** Stops claiming, and abandons the calls in progress after a grace period; another process calls about them again. */
  async stop(): Promise<void> {
    this.isStopped = true;
    const done = this.idle();
    await settledWithin(GRACE_MS, done);
    this.stopping.abort(new Error('we are stopping'));
    await done;
  }

  /** Returns how many offsets to claim now: none while too many answers wait to be recorded. */
  private availableCapacity(): number {
    if (this.isStopped || this.recording >= MAX_RECORDING) return 0;
    const capacity = Math.min(MAX_CLAIM_SIZE, this.registry.availableCapacity(this.calling));
    return capacity * MIN_PART < capacity + this.calling ? 0 : capacity;
  }

  private async ask({ token, orders }: Claim): Promise<void> {
    const offsets = orders.map(({ offset }) => offset);
    await withLease(this.database.urgent, 'offsets', token, offsets, async () => {
      await Promise.all(orders.map((order) => this.retire(order, token)));
    });
  }

  private async retire(order: RetirementOrder, token: string): Promise<void> {
    const { offset } = order;
    const answer = await this.answerAbout(order);
    this.recording += 1;
    this.signals.reserved.notify();
    try {
      await this.record({ offset, token, answer, lines: linesIn(order, answer) });
    } catch (error) {
      // The lease expires, and the next worker that claims the offset calls again.
      this.logger.warn('An answer was not recorded; the registry will be called again.', error, { id: offset });
    } finally {
      this.recording -= 1;
      this.signals.reserved.notify();
    }
  }

  /** Retries while the lease is renewed: only this process knows the answer, and an expired lease costs 8 s more. */
  private async record(answered: AnsweredOffset): Promise<void> {
    for (let failures = 1; ; failures += 1) {
      try {
        return await this.answers.submit([answered]);
      } catch (error) {
        if (failures === RECORD_ATTEMPTS || this.isStopped) throw error;
        await sleep(RECORD_AGAIN_MS);
      }
    }
  }

  private async answerAbout(order: RetirementOrder): Promise<RegistryAnswer> {
    try {
      return this.withWait(order, await this.registry.retire(order, this.stopping.signal));
    } catch (error) {
      this.logger.error('The registry could not be called because of a bug.', error, { id: order.offset });
      return this.withWait(order, { outcome: 'unknown', reason: 'it was not called' });
    } finally {
      this.calling -= 1;
    }
  }

  /** Adds the time until the next attempt to an answer that leaves the outcome unknown. */
  private withWait({ offset, attempt }: RetirementOrder, answer: RegistryAnswer): RegistryAnswer {
    if (answer.outcome !== 'unknown') return answer;
    if (this.stopping.signal.aborted) return { ...answer, waitMs: 0 };
    const facts = { id: offset, attempts: attempt, reason: answer.reason };
    const { REGISTRY_RETRY_MIN_MS: initialMs, REGISTRY_RETRY_MAX_MS: maxMs, REGISTRY_ALARM_ATTEMPTS } = this.settings;
    if (attempt > 0 && attempt % REGISTRY_ALARM_ATTEMPTS === 0)
      this.logger.error('The registry still gives no definite answer about an offset.', facts);
    else this.logger.warn('The registry gave no definite answer about an offset; it is called again.', facts);
    return { ...answer, waitMs: Math.max(backoffMs(attempt, { initialMs, maxMs }), answer.waitMs ?? 0) };
  }
}

/** Returns how many lines are written by the transaction that records the answer. */
function linesIn({ lines }: RetirementOrder, answer: RegistryAnswer): number {
  return Math.max(lines.length, (answer.outcome === 'retired' && answer.lines?.length) || 0);
}
