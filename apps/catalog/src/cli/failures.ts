import { kafkaHint, TopicIdentityError } from '@carbon/messaging';
import { openSearchAdvice } from '../open-search/open-search-connection.js';
import { Outage, Refusal } from '../open-search/refusal.js';

/** How the commands end; part of what scripts rely on, so a number never gets another meaning. */
export const EXIT = { done: 0, failed: 1, wrongUsage: 2, undecided: 3 } as const;

/** What a verification comes to, in a word. */
export type Verdict = 'holds' | 'differs' | 'undecided';

/**
 * How `verify` ends. What could not be compared has an end of its own: to call it sound would let a script believe what
 * nobody has seen, and to call it a difference would raise an alarm for mere news.
 */
export const VERDICT_EXIT: Readonly<Record<Verdict, number>> = {
  holds: EXIT.done,
  differs: EXIT.failed,
  undecided: EXIT.undecided,
};

/** The command was called wrongly: exit code 2. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

/** The command was right and could not be done; the message says why and what to do. Exit code 1. */
export class CannotDo extends Error {
  override readonly name = 'CannotDo';
}

/** Where the engines are, without the password that may be in an address. */
export interface Places {
  readonly openSearch: string;
  readonly kafka: string;
}

/** What a person is told when an engine did not play along; any other error stays as it is. */
export function explained(error: unknown, { openSearch, kafka }: Places): unknown {
  if (error instanceof Outage) {
    return new CannotDo(
      `OpenSearch at ${openSearch} does not answer. ${openSearchAdvice(error) ?? 'Is it running (`npm start`), and does OPENSEARCH_URL name it?'}`,
    );
  }
  if (error instanceof Refusal)
    return new CannotDo(`OpenSearch at ${openSearch} refuses: ${error.status} ${error.type}.`);
  if (hasType(error, 'UNKNOWN_TOPIC_OR_PARTITION')) {
    return new CannotDo('Kafka has no topic asset.published. `npm start` makes the topics; is TOPIC_PREFIX right?');
  }
  const isOfKafka = error instanceof TopicIdentityError || (error instanceof Error && error.name.startsWith('KafkaJS'));
  if (!isOfKafka) return error;
  return new CannotDo(
    `Kafka at ${kafka} cannot be used: ${error.message}. ${kafkaHint(error) ?? 'Is it running (`npm start`), and does KAFKA_BROKERS name it?'}`,
  );
}

/** Whether an error is of this type of the protocol's, wherever kafkajs has wrapped it. */
function hasType(error: unknown, type: string): boolean {
  return error instanceof Error && (('type' in error && error.type === type) || hasType(error.cause, type));
}
