import { setTimeout as sleep } from 'node:timers/promises';
import { isKafkaReachable, type KafkaHandle } from '@carbon/messaging';

const LOOK_EVERY_MS = 500;

/** Tells whether Kafka is out of reach, for a start that must not wait for it. */
export class KafkaReach {
  constructor(private readonly kafka: KafkaHandle) {}

  /** Resolves once Kafka has not answered for so long, or when the signal is given. */
  async lost(forMs: number, signal: AbortSignal): Promise<void> {
    let answeredAt = performance.now();
    while (!signal.aborted && performance.now() - answeredAt < forMs) {
      if (await isKafkaReachable(this.kafka)) answeredAt = performance.now();
      await sleep(LOOK_EVERY_MS, undefined, { ref: false, signal }).catch(() => {});
    }
  }
}
