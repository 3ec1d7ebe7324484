import {
  BACKGROUND_SECONDS,
  BATCH_SIZES,
  counter,
  gauge,
  histogram,
  type Metrics,
  REQUEST_SECONDS,
} from '@carbon/observability';
import { groupLag } from './admin/positions.js';
import type { KafkaHandle } from './kafka/create-kafka.js';
import { NotPublished, PublishOutcomeUnknown } from './publish/publisher.js';

const TOPIC = 'The topic by its plain name.';
const GROUP = 'The consumer group by its plain name.';
/** The minimum interval between two reads of the lag from Kafka. */
const LAG_CACHE_MS = 10_000;
const LAG_TIMEOUT_MS = 3_000;

/** Returns the metrics of an app's consumers. */
export function consumerMetrics(app: string) {
  const labels = { group: GROUP, topic: TOPIC };
  return {
    lag: gauge(
      `carbon_${app}_kafka_lag_messages`,
      'Messages that the group has not committed yet, over all partitions. The same from every instance: take the maximum.',
      labels,
    ),
    oldestUnread: gauge(
      `carbon_${app}_kafka_oldest_unread_age_seconds`,
      'The minimum age of the oldest message that the group has not committed; accurate to within a factor of two, 0 without one.',
      labels,
    ),
    consuming: gauge(
      `carbon_${app}_kafka_consuming`,
      'Whether this process is in the group and alive (1) or not (0).',
      {
        group: GROUP,
      },
    ),
    batchMessages: histogram(
      `carbon_${app}_kafka_batch_messages`,
      'Messages that were handled at once.',
      BATCH_SIZES,
      labels,
    ),
    batchDuration: histogram(
      `carbon_${app}_kafka_batch_duration_seconds`,
      'From fetching a batch to committing its position, including outages.',
      BACKGROUND_SECONDS,
      labels,
    ),
    deadLetters: counter(`carbon_${app}_kafka_dead_letters_total`, 'Messages that were dead-lettered.', {
      topic: 'The topic of the original.',
      reason: 'The code in its header x-reason-code.',
    }),
    deadLetterWait: gauge(
      `carbon_${app}_kafka_dead_letter_wait_seconds`,
      'How long a dead letter has been waiting for Kafka, which blocks its partition; 0 without one.',
      { group: GROUP },
    ),
  };
}

/** Returns the metrics of an app's producer. */
export function producerMetrics(app: string) {
  return {
    duration: histogram(
      `carbon_${app}_publish_duration_seconds`,
      'From the call that publishes a message to its outcome.',
      REQUEST_SECONDS,
      {
        topic: TOPIC,
        outcome:
          '`confirmed`, `not_accepted` (nothing was sent), `outcome_unknown`, or `refused` (an error of the app, such as a message that is too large).',
      },
    ),
    batchMessages: histogram(`carbon_${app}_publish_batch_messages`, 'Messages sent to Kafka at once.', BATCH_SIZES),
    inFlight: gauge(`carbon_${app}_publish_in_flight_messages`, 'Messages that are queued or unconfirmed.'),
    connected: gauge(
      `carbon_${app}_publish_connected`,
      'Whether the producer is connected to Kafka (1) or not (0), as of the last message sent.',
    ),
  };
}

/** Counts the messages of one consumer group, and exposes its state and lag at each scrape until `close`. */
export class ConsumerMetrics {
  private readonly instruments;
  private readonly onClose: readonly (() => void)[];

  constructor(
    metrics: Metrics,
    kafka: KafkaHandle,
    private readonly labels: { readonly group: string; readonly topic: string },
    state: () => { consuming: boolean; deadLetterWaitMs: number },
  ) {
    this.instruments = metrics.of(consumerMetrics(metrics.app));
    const { group, topic } = labels;
    const { lag, oldestUnread, consuming, deadLetterWait } = this.instruments;
    const readLag = async () => {
      const { messages, oldestAgeSeconds } = await groupLag(kafka, group, topic);
      return [
        { gauge: lag, value: messages, labels },
        { gauge: oldestUnread, value: oldestAgeSeconds, labels },
      ];
    };
    const source = { source: `kafka: ${group}`, collect: readLag, cacheMs: LAG_CACHE_MS, timeoutMs: LAG_TIMEOUT_MS };
    const setState = () => {
      const { consuming: isConsuming, deadLetterWaitMs } = state();
      consuming.set({ group }, isConsuming ? 1 : 0);
      deadLetterWait.set({ group }, deadLetterWaitMs / 1_000);
    };
    const removeState = () => {
      consuming.remove({ group });
      deadLetterWait.remove({ group });
    };
    this.onClose = [metrics.addCollector(source), metrics.onScrape(setState), removeState];
  }

  /** Counts a batch whose position is committed. */
  done(messages: number, seconds: number): void {
    this.instruments.batchMessages.observe(this.labels, messages);
    this.instruments.batchDuration.observe(this.labels, seconds);
  }

  /** Counts a dead letter that Kafka has confirmed. */
  deadLettered(reason: string): void {
    this.instruments.deadLetters.inc({ topic: this.labels.topic, reason });
  }

  /** Removes the group's state and lag. */
  close(): void {
    for (const close of this.onClose) close();
  }
}

/** Counts the messages of an app's producer. Dead letters are counted elsewhere. */
export class ProducerMetrics {
  private readonly instruments;

  constructor(metrics: Metrics, state: () => { inFlight: number; connected: boolean }) {
    const instruments = metrics.of(producerMetrics(metrics.app));
    this.instruments = instruments;
    metrics.onScrape(() => {
      const { inFlight, connected } = state();
      instruments.inFlight.set(inFlight);
      instruments.connected.set(connected ? 1 : 0);
    });
  }

  /** Counts a batch that is sent. */
  sent(messages: number): void {
    this.instruments.batchMessages.observe(messages);
  }

  /** Counts the outcome of a message. @param begunMs when it was handed over, by `performance.now()` */
  settled(topic: string, begunMs: number, error?: Error): void {
    const outcome = error === undefined ? 'confirmed' : outcomeOf(error);
    this.instruments.duration.observe({ topic, outcome }, (performance.now() - begunMs) / 1_000);
  }
}

function outcomeOf(error: Error): string {
  if (error instanceof NotPublished) return 'not_accepted';
  return error instanceof PublishOutcomeUnknown ? 'outcome_unknown' : 'refused';
}
