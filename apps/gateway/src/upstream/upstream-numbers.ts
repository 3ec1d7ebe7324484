import type { Metrics } from '@carbon/observability';
import { isBrokenCircuitError } from 'cockatiel';
import { upstreamMetrics } from '../gateway.metrics.js';
import { GivenUp } from './patience.js';
import { NoTurn } from './turns.js';

/** Counts the questions to one app over one set of connections. */
export class UpstreamNumbers {
  private readonly instruments;

  constructor(
    private readonly metrics: Metrics,
    private readonly upstream: string,
  ) {
    this.instruments = metrics.of(upstreamMetrics);
  }

  /** Shows whether the breaker is open whenever somebody looks. */
  open(isBreakerOpen: () => boolean): void {
    const { upstream, instruments } = this;
    this.metrics.onScrape(() => instruments.breakerOpen.set({ upstream }, isBreakerOpen() ? 1 : 0));
  }

  /** @param begun by the process's own clock; milliseconds */
  asked(begun: number, error?: unknown): void {
    const labels = { upstream: this.upstream, outcome: error === undefined ? 'answered' : outcomeOf(error) };
    this.instruments.duration.observe(labels, (performance.now() - begun) / 1_000);
  }
}

function outcomeOf(error: unknown): string {
  if (isBrokenCircuitError(error)) return 'breaker_open';
  if (error instanceof NoTurn) return 'busy';
  return error instanceof GivenUp ? 'given_up' : 'failed';
}
