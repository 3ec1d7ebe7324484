import type { OffsetStatus } from '@carbon/contracts';
import { Metrics } from '@carbon/observability';
import { Injectable } from '@nestjs/common';
import { progressMetrics } from '../offsets.metrics.js';

/** A committed change of an offset's status. Times are by the database's clock. */
export interface StatusChange {
  readonly from: OffsetStatus;
  readonly to: OffsetStatus;
  /** How long the offset had the status `from`. */
  readonly seconds: number;
  /** How long since its acceptance; only where `to` is final. */
  readonly sinceAccepted?: number;
  /** The failure code. */
  readonly code?: string;
  /** What was retired; only where `to` is `completed`. */
  readonly retired?: { readonly grams: bigint; readonly costMicros: bigint };
}

/** Counts what workers and consumers have committed. */
@Injectable()
export class OffsetMetrics {
  private readonly instruments;

  constructor(metrics: Metrics) {
    this.instruments = metrics.of(progressMetrics);
    for (const table of ['offsets', 'outbox']) this.instruments.expiredLeases.inc({ table }, 0);
  }

  /** Counts offsets that were recorded for the first time, by failure code; undefined for those recorded as queued. */
  countRecorded(failures: readonly (string | undefined)[]): void {
    const { recorded, failed } = this.instruments;
    for (const code of failures) {
      recorded.inc({ status: code === undefined ? 'queued' : 'failed' });
      if (code !== undefined) failed.inc({ code });
    }
  }

  /** Counts status changes. After a failover the database's clock may be behind, so durations are never negative. */
  countStatusChanges(changes: readonly StatusChange[]): void {
    const { stateDuration, settledDuration, failed, retiredGrams, retiredDollars } = this.instruments;
    for (const { from, to, seconds, sinceAccepted, code, retired } of changes) {
      stateDuration.observe({ state: from, next: to }, Math.max(0, seconds));
      if (sinceAccepted !== undefined) settledDuration.observe({ status: to }, Math.max(0, sinceAccepted));
      if (code !== undefined) failed.inc({ code });
      if (retired === undefined) continue;
      retiredGrams.inc(Number(retired.grams));
      retiredDollars.inc(Number(retired.costMicros) / 1_000_000);
    }
  }

  /** Observes the number of offsets that one transaction decided. */
  observeBatch(offsets: number): void {
    this.instruments.allocationBatch.observe(offsets);
  }

  /** Counts rows that were claimed after the lease of another worker expired. */
  countExpiredLeases(table: 'offsets' | 'outbox', rows: number): void {
    if (rows > 0) this.instruments.expiredLeases.inc({ table }, rows);
  }

  /** Returns a function that runs `work` and counts its failures. */
  countFailures<T>(worker: string, work: () => Promise<T>): () => Promise<T> {
    this.instruments.workerFailures.inc({ worker }, 0);
    return async () => {
      try {
        return await work();
      } catch (error) {
        this.instruments.workerFailures.inc({ worker });
        throw error;
      }
    };
  }
}
