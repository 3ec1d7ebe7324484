import { loadCliEnvironment, loadConfigOrExit } from '@carbon/config';
import {
  createKafka,
  ensureTopics,
  kafkaConnection,
  kafkaHint,
  TopicCreationError,
  TopicMismatch,
  type TopicsReport,
  waitForKafka,
} from '@carbon/messaging';
import { Command } from 'commander';
import { topicsSettings } from './topics.config.js';

/** Makes the topics that do not exist yet, brings the others up to the settings, and says what it did. */
async function makeTopics(): Promise<void> {
  const settings = loadConfigOrExit(topicsSettings, loadCliEnvironment());
  const kafka = createKafka({ ...kafkaConnection(settings), clientId: 'topics' });
  await waitForKafka(kafka, settings.ENGINE_WAIT_MS, (sentence) => process.stderr.write(`${sentence}\n`));
  const report = await ensureTopics(kafka, {
    replication: settings.TOPIC_REPLICATION,
    minInSync: settings.TOPIC_MIN_INSYNC,
    partitions: settings.OFFSET_PARTITIONS,
    requestedDays: settings.OFFSET_REQUESTED_DAYS,
    outcomeDays: settings.OFFSET_OUTCOME_DAYS,
  });
  process.stdout.write(`${linesOf(report).join('\n')}\n`);
}

function linesOf({ made, changes, notes, replication }: TopicsReport): string[] {
  return [
    made.length === 0 ? 'all topics exist already' : `made ${made.join(', ')}`,
    ...changes,
    ...replication,
    ...notes.map((note) => `note: ${note}`),
  ];
}

/** Whether an error is what Kafka has answered; kafkajs gives those a type. */
function isAnswer(error: unknown): boolean {
  if (error instanceof TopicMismatch || error instanceof TopicCreationError) return true;
  return error instanceof Error && 'type' in error && error.type !== undefined;
}

const command = new Command('topics')
  .description('Make the topics that do not exist yet, in the Kafka that KAFKA_BROKERS names or npm start runs.')
  .addHelpText(
    'after',
    `
Adds partitions to the offset.* topics, and raises retention and
min.insync.replicas, up to the settings in docs/configuration.md. Lowers nothing.

Exit codes: 0 every topic is there, 1 it could not be done, 2 wrong usage,
78 wrong settings.`,
  )
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .action(makeTopics);

try {
  await command.parseAsync();
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  const advice = kafkaHint(error) ?? (isAnswer(error) ? undefined : 'Does KAFKA_BROKERS name a Kafka that runs?');
  const why = advice === undefined ? reason : `${reason}. ${advice}`;
  process.stderr.write(`The topics were not all made or brought up to date: ${why}\n`);
  process.exitCode = 1;
}
