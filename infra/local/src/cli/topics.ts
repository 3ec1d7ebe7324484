import { kafkaSettings, loadCliEnvironment, loadConfigOrExit } from '@carbon/config';
import { createKafka, createTopics } from '@carbon/messaging';
import { z } from 'zod';

/** `npm run topics`: makes the topics that do not exist yet, and says which. */
export async function topics(): Promise<void> {
  const settings = loadConfigOrExit(z.object(kafkaSettings), loadCliEnvironment());
  const { KAFKA_BROKERS: brokers, TOPIC_PREFIX: topicPrefix } = settings;
  const made = await createTopics(createKafka({ brokers, clientId: 'topics', topicPrefix }));
  process.stdout.write(made.length === 0 ? 'all topics exist already\n' : `made ${made.join(', ')}\n`);
}
