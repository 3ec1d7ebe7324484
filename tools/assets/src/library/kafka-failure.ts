import { kafkaHint, NotPublished, PublishOutcomeUnknown } from '@carbon/messaging';
import { CannotDo } from '@carbon/terminal';

/** What a person is told when Kafka did not play along; an error that is not Kafka's stays as it is. */
export function kafkaFailure(error: unknown, doing: 'read' | 'publish', brokers: readonly string[]): unknown {
  if (error instanceof CannotDo || !(error instanceof Error)) return error;
  if (kindOf(error) === 'UNKNOWN_TOPIC_OR_PARTITION') {
    return new CannotDo('Kafka has no topic asset.published. `npm start` makes the topics; is TOPIC_PREFIX right?');
  }
  const again =
    doing === 'publish' ? ' Some assets may be published; run the command again, it sends only the others.' : '';
  const advice = `${kafkaHint(error) ?? 'Is it running (`npm start`), and does KAFKA_BROKERS name it?'}${again}`;
  const where = `Kafka at ${brokers.join(', ')}`;
  if (error instanceof PublishOutcomeUnknown)
    return new CannotDo(`${where} did not confirm what was sent in time. ${advice}`);
  if (error instanceof NotPublished) return new CannotDo(`${where} cannot be reached. ${advice}`);
  return new CannotDo(`${where} cannot be used: ${error.message}. ${advice}`);
}

/** The protocol's own name of an error, wherever kafkajs has wrapped it. */
function kindOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'type' in error && typeof error.type === 'string' ? error.type : kindOf(error.cause);
}
