import { printableLines } from './printable.js';

/** How commands end; the numbers above 2 are those of sysexits.h. */
export const EXIT = { done: 0, failed: 1, wrongUsage: 2, noAnswer: 75, notAllowed: 77 } as const;

/** A command ends without having done what it was told. Its message says why and what to do, for a person. */
export abstract class CommandFailure extends Error {
  abstract readonly exitCode: number;

  /** @param shown the same for a terminal, where it has colours: nothing in it may be obeyed but those */
  constructor(
    message: string,
    readonly shown = printableLines(message),
  ) {
    super(message);
  }
}

/** The command was called wrongly. */
export class WrongUsage extends CommandFailure {
  override readonly name = 'WrongUsage';
  readonly exitCode = EXIT.wrongUsage;
}

/** The command was right and could not be done. */
export class CannotDo extends CommandFailure {
  override readonly name = 'CannotDo';
  readonly exitCode = EXIT.failed;
}

/** Nobody answered, so nothing is known, or not all: the same command may succeed later (EX_TEMPFAIL). */
export class NoAnswer extends CommandFailure {
  override readonly name = 'NoAnswer';
  readonly exitCode = EXIT.noAnswer;
}

/** Who asks may not have it (EX_NOPERM). */
export class NotAllowed extends CommandFailure {
  override readonly name = 'NotAllowed';
  readonly exitCode = EXIT.notAllowed;
}
