import { kafkaSettings, loadCliEnvironment, loadConfigOrExit } from '@carbon/config';
import { createKafka, createTopics } from '@carbon/messaging';
import { Command } from 'commander';
import { z } from 'zod';

/** Makes the topics that do not exist yet, and says which. Rejects when Kafka is away or one is not as it should be. */
async function makeTopics(): Promise<void> {
  const settings = loadConfigOrExit(z.object(kafkaSettings), loadCliEnvironment());
  const { KAFKA_BROKERS: brokers, TOPIC_PREFIX: topicPrefix } = settings;
  const made = await createTopics(createKafka({ brokers, clientId: 'topics', topicPrefix }));
  process.stdout.write(made.length === 0 ? 'all topics exist already\n' : `made ${made.join(', ')}\n`);
}

const command = new Command('topics')
  .description('Make the topics that do not exist yet, in the Kafka that KAFKA_BROKERS names or npm start runs.')
  .addHelpText(
    'after',
    '\nExit codes: 0 every topic is there, 1 it could not be done, 2 wrong usage,\n78 wrong settings.',
  )
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .action(makeTopics);

try {
  await command.parseAsync();
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The topics were not made: ${reason}. Does KAFKA_BROKERS name a Kafka that runs?\n`);
  process.exitCode = 1;
}
