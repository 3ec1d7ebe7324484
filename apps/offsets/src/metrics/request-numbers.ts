import { Metrics } from '@carbon/observability';
import { requestMetrics } from '../offsets.metrics.js';

/** Counts what has become of the topic of requests. */
export class RequestNumbers {
  private readonly instruments;

  constructor(metrics: Metrics) {
    this.instruments = metrics.of(requestMetrics);
    this.instruments.lost.set(0);
    this.instruments.truncated.inc(0);
  }

  /** So many messages are gone that the database may lack; 0 once that is accepted. */
  lost(messages: number): void {
    this.instruments.lost.set(messages);
  }

  /** So many partitions end before what was consumed of them. */
  truncated(partitions: number): void {
    this.instruments.truncated.inc(partitions);
  }
}
