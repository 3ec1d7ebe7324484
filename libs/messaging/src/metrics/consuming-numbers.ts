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
      return [
        { gauge: lag, value: messages, labels },
        { gauge: oldestUnread, value: oldestAgeSeconds, labels },
      ];
    };
    const ask = async () => (await Promise.all(topics.map(readingsOf))).flat();
    const source = { source: `kafka: ${group}`, collect: ask, cacheMs: KEPT_MS, timeoutMs: DEADLINE_MS };
    this.ends.push(this.metrics.addCollector(source));
    const show = () => {
      const { consuming: isConsuming, letterWaitMs } = state();
      consuming.set({ group }, isConsuming ? 1 : 0);
      letterWait.set({ group }, letterWaitMs / 1_000);
    };
    const hide = () => {
      consuming.remove({ group });
      letterWait.remove({ group });
    };
    this.ends.push(this.metrics.onScrape(show), hide);
  }

  /** A batch is through, its position committed. */
  done(topic: string, messages: number, seconds: number): void {
    const labels = { group: this.group, topic };
    this.instruments.batchMessages.observe(labels, messages);
    this.instruments.batchDuration.observe(labels, seconds);
  }

  /** A dead letter lies on its topic. */
  givenUp(topic: string, reason: string): void {
    this.instruments.deadLetters.inc({ topic, reason });
  }

  /** Shows no more of this group. */
  close(): void {
    for (const end of this.ends.splice(0)) end();
  }
}
