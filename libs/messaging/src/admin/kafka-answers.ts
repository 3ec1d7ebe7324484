import { within } from '../back-off.js';
import { CONNECTION, type KafkaHandle } from '../kafka/create-kafka.js';

/** Returns whether Kafka answers now, within the timeout of a request; on a connection of its own. */
export async function kafkaAnswers({ client }: KafkaHandle): Promise<boolean> {
  const admin = client.admin({ retry: { retries: 0 } });
  const answer = admin.connect().then(() => admin.describeCluster());
  // kafkajs tries for longer than we wait, and would connect again after a disconnect.
  void answer.catch(() => {}).then(() => admin.disconnect().catch(() => {}));
  return within(CONNECTION.requestTimeout, answer).then(
    () => true,
    () => false,
  );
}
