const REASONS = {
  full: 'too many messages are under way',
  away: 'Kafka has been out of reach for a while',
  deadline: 'Kafka did not become ready in time',
  closing: 'the publisher is closing',
  refused: 'Kafka refuses it',
} as const;

/** The broker's word about the connection, which says nothing about messages: the next connection may be authenticated. */
const AUTHENTICATION = ['SASL_AUTHENTICATION_FAILED', 'ILLEGAL_SASL_STATE', 'UNSUPPORTED_SASL_MECHANISM'];

/** How deep the broker's word may lie in what wraps it. */
const DEPTH = 5;

/** Why a message was not sent. */
export type NotAcceptedReason = keyof typeof REASONS;

/** The message was not sent and never will be: trying again is safe. */
export class NotAccepted extends Error {
  override readonly name = 'NotAccepted';
  constructor(
    readonly reason: NotAcceptedReason,
    options?: ErrorOptions,
  ) {
    super(`Not published: ${REASONS[reason]}.`, options);
  }
}

/** The message was handed to Kafka and not confirmed. A send cannot be called back: it may be there, or still arrive. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
  constructor(options?: ErrorOptions) {
    super('Handed to Kafka, but not confirmed in time.', options);
  }
}

/** The message is larger than the publisher takes. Trying again does not help. */
export class MessageTooLarge extends RangeError {
  override readonly name = 'MessageTooLarge';
  constructor(bytes: number, limit: number) {
    super(`A message of ${bytes} bytes is larger than the ${limit} allowed. Make it smaller.`);
  }
}

/** Whether a broker refused the messages for good, so that sending them again would change nothing. */
export function isFinal(error: unknown, depth = 0): boolean {
  if (depth > DEPTH || !(error instanceof Error)) return false;
  // kafkajs wraps what it no longer retries in errors that are not retriable, so only the broker's own word counts.
  if (error.name === 'KafkaJSProtocolError') {
    const isAboutConnection = 'type' in error && AUTHENTICATION.some((type) => type === error.type);
    return 'retriable' in error && error.retriable === false && !isAboutConnection;
  }
  return isFinal(error.cause, depth + 1);
}

/** Whether an error says that a message is too large, be it the publisher's word or the broker's. */
export function saysTooLarge(error: unknown, depth = 0): boolean {
  if (depth > DEPTH || !(error instanceof Error)) return false;
  if (error instanceof MessageTooLarge || ('type' in error && error.type === 'MESSAGE_TOO_LARGE')) return true;
  return saysTooLarge(error.cause, depth + 1);
}
