/** The command was called wrongly: exit code 2. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

/** The command was right and could not be done; the message says why and what to do. Exit code 1. */
export class CannotDo extends Error {
  override readonly name = 'CannotDo';
}

/** Kafka did not answer, so nothing is known, or not all. Exit code 75 (EX_TEMPFAIL of sysexits.h). */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}
