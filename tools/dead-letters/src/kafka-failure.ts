import { kafkaHint, NotPublished, PublishOutcomeUnknown } from '@carbon/messaging';
import { CannotDo, CommandFailure, NoAnswer } from '@carbon/terminal';

/** What a person is told when Kafka did not play along; our own words stay as they are. */
export function kafkaFailure(error: unknown, brokers: readonly string[]): unknown {
  if (error instanceof CommandFailure || !(error instanceof Error)) return error;
  if (kindOf(error) === 'UNKNOWN_TOPIC_OR_PARTITION') {
    return new CannotDo('Kafka has no such topic. `npm run topics` makes the topics; is TOPIC_PREFIX right?');
  }
  const where = `Kafka at ${brokers.join(', ')}`;
  const advice = kafkaHint(error) ?? 'Is it running (`npm start`), and does KAFKA_BROKERS name it?';
  if (error instanceof PublishOutcomeUnknown) {
    return new NoAnswer(`${where} did not confirm what was sent in time; it may be there. Run the command again.`);
  }
  if (error instanceof NotPublished) return new NoAnswer(`${where} cannot be reached. ${advice}`);
  return isKafkas(error) ? new NoAnswer(`${where} cannot be used: ${error.message}. ${advice}`) : error;
}

function isKafkas(error: Error): boolean {
  return error.name.startsWith('KafkaJS') || error.name === 'DeadlineExceeded';
}

/** The protocol's own name of an error, wherever kafkajs has wrapped it. */
function kindOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'type' in error && typeof error.type === 'string' ? error.type : kindOf(error.cause);
}
