import type { Metrics } from '@carbon/observability';
import { NotAccepted, OutcomeUnknown } from '../publish/publish-errors.js';
import { publishingMetrics } from './kafka-metrics.js';

/** What is to be known of a producer at any moment. */
export interface ProducerState {
  readonly inFlight: number;
  readonly connected: boolean;
}

/** Notes how an app's publishing goes. It has one producer; what is only passed on, such as dead letters, is counted elsewhere. */
export class PublishingNumbers {
  private readonly instruments;

  /** @param state the producer's, looked at whenever somebody looks here */
  constructor(metrics: Metrics, state: () => ProducerState) {
    const instruments = metrics.of(publishingMetrics(metrics.app));
    this.instruments = instruments;
    metrics.onScrape(() => {
      const { inFlight, connected } = state();
      instruments.inFlight.set(inFlight);
      instruments.connected.set(connected ? 1 : 0);
    });
  }

  /** Sends were put together into one request. */
  sent(messages: number): void {
    this.instruments.batchMessages.observe(messages);
  }

  /** @param begun when the message was handed over, by the process's own clock; milliseconds */
  confirmed(topic: string, begun: number): void {
    this.instruments.duration.observe({ topic, outcome: 'confirmed' }, (performance.now() - begun) / 1_000);
  }

  /** The same for a message that was not. */
  failed(topic: string, begun: number, error: unknown): void {
    const outcome = outcomeOf(error);
    this.instruments.duration.observe({ topic, outcome }, (performance.now() - begun) / 1_000);
  }
}

function outcomeOf(error: unknown): string {
  if (error instanceof NotAccepted) return 'not_accepted';
  return error instanceof OutcomeUnknown ? 'outcome_unknown' : 'refused';
}
