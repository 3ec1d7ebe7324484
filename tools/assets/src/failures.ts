/** The command was called wrongly: exit code 2. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

/** The command was right and could not be done; the message says why and what to do. Exit code 1. */
export class CannotDo extends Error {
  override readonly name = 'CannotDo';
}
