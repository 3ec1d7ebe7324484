import type { KafkaHandle } from '../kafka/create-kafka.js';

/** Whether Kafka answers now: one try on a connection of its own, bounded by the time-outs of connections and requests. */
export async function kafkaAnswers({ client }: KafkaHandle): Promise<boolean> {
  const admin = client.admin({ retry: { retries: 0 } });
  try {
    await admin.connect();
    await admin.describeCluster();
    return true;
  } catch {
    return false;
  } finally {
    await admin.disconnect().catch(() => {});
  }
}
