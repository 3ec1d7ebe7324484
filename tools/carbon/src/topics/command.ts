import {
  createKafka,
  DeadlineExceeded,
  ensureTopics,
  kafkaConnection,
  kafkaHint,
  TopicCreationError,
  TopicMismatchError,
  type TopicsReport,
  waitForKafka,
} from '@carbon/messaging';
import {
  type Command,
  type CommandContext,
  CommandError,
  createProgram,
  EXIT,
  UnavailableError,
} from '@carbon/terminal';
import { topicsSettings } from './settings.js';

const HELP = `
Adds partitions to the offset.* topics, and raises retention and
min.insync.replicas, up to the settings in docs/configuration.md. Lowers
nothing.

Exit codes: 0 every topic exists, 1 not possible, 2 usage error, 75 Kafka did
not answer, 78 wrong settings.`;

/** Returns the command `topics`. */
export function topicsCommand(context: CommandContext): Command {
  return createProgram('topics', context)
    .description('Creates missing topics, in the Kafka that KAFKA_BROKERS names or npm start runs.')
    .addHelpText('after', HELP)
    .option('--json', 'JSON in place of the sentences', false)
    .action(context.action(({ json }: { json: boolean }) => createMissingTopics(context, json)));
}

async function createMissingTopics(context: CommandContext, json: boolean): Promise<number> {
  const settings = context.settings(topicsSettings, EXIT.config);
  const output = context.output({ json, continueWhenClosed: true });
  try {
    const kafka = createKafka({ ...kafkaConnection(settings), clientId: 'topics' });
    await waitForKafka(kafka, settings.ENGINE_WAIT_MS, (sentence) => output.say(sentence));
    const report = await ensureTopics(kafka, {
      replication: settings.TOPIC_REPLICATION,
      minInSync: settings.TOPIC_MIN_INSYNC,
      partitions: settings.OFFSET_PARTITIONS,
      requestedDays: settings.OFFSET_REQUESTED_DAYS,
      outcomeDays: settings.OFFSET_OUTCOME_DAYS,
    });
    await output.document(report, () => linesOf(report));
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommandError || !isOfKafka(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const hint = kafkaHint(error) ?? (isAnswer(error) ? undefined : 'Does KAFKA_BROKERS name a running Kafka?');
    const failed = `Not all topics were created or updated: ${reason}`;
    throw hint === undefined ? new CommandError(failed) : new UnavailableError(`${failed}. ${hint}`);
  }
}

function linesOf({ created, changes, notes, replication }: TopicsReport): string[] {
  return [
    created.length === 0 ? 'all topics already exist' : `created ${created.join(', ')}`,
    ...changes,
    ...replication,
    ...notes.map((note) => `note: ${note}`),
  ];
}

/** Whether the connection to Kafka, or Kafka itself, caused the error; any other one is a bug. */
function isOfKafka(error: unknown): boolean {
  if (isAnswer(error) || error instanceof DeadlineExceeded || kafkaHint(error) !== undefined) return true;
  return error instanceof Error && error.name.startsWith('KafkaJS');
}

/** Whether Kafka answered with the error; kafkajs gives such errors a type. */
function isAnswer(error: unknown): boolean {
  if (error instanceof TopicMismatchError || error instanceof TopicCreationError) return true;
  return error instanceof Error && 'type' in error && error.type !== undefined;
}
