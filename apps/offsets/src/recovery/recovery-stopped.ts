/** What Kafka holds contradicts the database, or does not suffice: a person must decide. The message says what, and what to do. */
export class RecoveryStopped extends Error {
  override readonly name = 'RecoveryStopped';
}
