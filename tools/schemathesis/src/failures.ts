import { CommandError } from '@carbon/terminal';

/** What ends the command with a sentence instead of a verdict. */
export class CannotRun extends CommandError {
  override readonly name = 'CannotRun';

  /** @param exitCode 75 when it may go better later, 78 when something must be installed or set first */
  constructor(
    message: string,
    override readonly exitCode: 75 | 78,
  ) {
    super(message);
  }
}
