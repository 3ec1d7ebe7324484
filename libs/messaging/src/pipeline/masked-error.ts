/**
 * A handler failed, but what arrived is no error: Nest's default filter for messages (or an HTTP filter) put its own
 * answer in its place. Whether it was an outage or a bad message cannot be told any more, so nothing may be given up.
 */
export class MaskedError extends Error {
  override readonly name = 'MaskedError';
  constructor(instead: unknown) {
    super('A filter hid the error of a Kafka handler. Connect the server with connectKafka().', { cause: instead });
  }
}
