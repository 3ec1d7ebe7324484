import { pause, pauseAfter } from '../back-off.js';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import { kafkaAdvice } from '../kafka/kafka-advice.js';

const AGAIN = { firstMs: 100, lastMs: 1_000 };

/**
 * Resolves when Kafka answers: a command may be started together with it. A wrong setting is not waited for.
 * @param onWait called once when Kafka does not answer at the first try, with a sentence about it
 * @throws the last error once the time is over, or at once one that says which setting is wrong
 */
export async function reachKafka(
  kafka: KafkaHandle,
  withinMs: number,
  onWait: (sentence: string) => void,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (let failures = 1; ; failures += 1) {
    try {
      return await ask(kafka);
    } catch (error) {
      if (kafkaAdvice(error) !== undefined || performance.now() >= deadline) throw error;
      if (failures === 1) onWait(`Kafka does not answer yet; waiting up to ${withinMs / 1_000} s for it.`);
      await pause(pauseAfter(failures, AGAIN));
    }
  }
}

async function ask(kafka: KafkaHandle): Promise<void> {
  const admin = kafka.client.admin({ retry: { retries: 0 } });
  try {
    await admin.connect();
    await admin.describeCluster();
  } finally {
    await admin.disconnect();
  }
}
