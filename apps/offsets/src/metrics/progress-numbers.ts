import { Metrics } from '@carbon/observability';
import { Injectable } from '@nestjs/common';
import { progressMetrics } from '../offsets.metrics.js';
import type { Move } from './move.js';

/** Counts what the steps have done, once it is committed. */
@Injectable()
export class ProgressNumbers {
  private readonly instruments;

  constructor(metrics: Metrics) {
    this.instruments = metrics.of(progressMetrics);
    for (const table of ['offsets', 'outbox']) this.instruments.takenOver.inc({ table }, 0);
  }

  /** Offsets were recorded, none of which had been before: each as queued, if only within its transaction, or as failed with a code. */
  recorded(failures: readonly (string | undefined)[]): void {
    const { recorded, failed } = this.instruments;
    for (const code of failures) {
      recorded.inc({ status: code === undefined ? 'queued' : 'failed' });
      if (code !== undefined) failed.inc({ code });
    }
  }

  /** Offsets went from state to state. A database that was failed over may be behind: no duration is negative. */
  moved(moves: readonly Move[]): void {
    const { stateDuration, settledDuration, failed } = this.instruments;
    for (const { from, to, seconds, sinceAccepted, code } of moves) {
      stateDuration.observe({ state: from, next: to }, Math.max(0, seconds));
      if (sinceAccepted !== undefined) settledDuration.observe({ status: to }, Math.max(0, sinceAccepted));
      if (code !== undefined) failed.inc({ code });
    }
  }

  /** So many offsets were decided in one transaction. */
  decided(offsets: number): void {
    this.instruments.allocationBatch.observe(offsets);
  }

  /** Rows whose holder's lease had run out are held by us. */
  tookOver(table: 'offsets' | 'outbox', rows: number): void {
    if (rows > 0) this.instruments.takenOver.inc({ table }, rows);
  }

  /** `work`, its failures counted. */
  watched<T>(worker: string, work: () => Promise<T>): () => Promise<T> {
    this.instruments.workFailures.inc({ worker }, 0);
    return async () => {
      try {
        return await work();
      } catch (error) {
        this.instruments.workFailures.inc({ worker });
        throw error;
      }
    };
  }
}
