import type { Metrics } from '@carbon/observability';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import { groupLag } from './group-lag.js';
import { consumingMetrics } from './kafka-metrics.js';

/** What is to be known of a consumer at any moment. */
export interface ConsumerState {
  readonly consuming: boolean;
  /** How long a dead letter has been waiting. Milliseconds. */
  readonly letterWaitMs: number;
}

/** Kafka is asked no more often, however many look. */
const KEPT_MS = 10_000;
const DEADLINE_MS = 3_000;

/** Notes how one group's taking of messages goes. */
export class ConsumingNumbers {
  private readonly instruments;
  private readonly ends: (() => void)[] = [];

  constructor(
    private readonly metrics: Metrics,
    private readonly group: string,
  ) {
    this.instruments = metrics.of(consumingMetrics(metrics.app));
  }

  /** Shows the state and the lag whenever somebody looks, until `close`. */
  open(kafka: KafkaHandle, topics: readonly string[], state: () => ConsumerState): void {
    const { group } = this;
    const { lag, oldestUnread, consuming, letterWait } = this.instruments;
    const readingsOf = async (topic: string) => {
      const { messages, oldestAgeSeconds } = await groupLag(kafka, group, topic);
      const labels = { group, topic };
      return [lag.reading(messages, labels), oldestUnread.reading(oldestAgeSeconds, labels)];
    };
    const ask = async () => (await Promise.all(topics.map(readingsOf))).flat();
    const source = { source: `kafka: ${group}`, ask, keptMs: KEPT_MS, deadlineMs: DEADLINE_MS };
    this.ends.push(this.metrics.gather(source));
    const show = () => {
      const { consuming: isConsuming, letterWaitMs } = state();
      consuming.set(isConsuming ? 1 : 0, { group });
      letterWait.set(letterWaitMs / 1_000, { group });
    };
    const hide = () => {
      consuming.reading(0, { group }).hide();
      letterWait.reading(0, { group }).hide();
    };
    this.ends.push(this.metrics.onScrape(show), hide);
  }

  /** A batch is through, its position committed. */
  done(topic: string, messages: number, seconds: number): void {
    const labels = { group: this.group, topic };
    this.instruments.batchMessages.observe(messages, labels);
    this.instruments.batchDuration.observe(seconds, labels);
  }

  /** A dead letter lies on its topic. */
  givenUp(topic: string, reason: string): void {
    this.instruments.deadLetters.add(1, { topic, reason });
  }

  /** Shows no more of this group. */
  close(): void {
    for (const end of this.ends.splice(0)) end();
  }
}
