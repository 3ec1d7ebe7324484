/** What of `process.stderr` is used. */
export interface Screen {
  readonly isTTY?: boolean | undefined;
  write(text: string): boolean;
}

const TERMINAL_EVERY_MS = 100;
const LINE_EVERY_MS = 5_000;
const CLEAR_LINE = '\r\u001b[K';

/** How far a command is: one line that changes in place on a terminal, a new line every five seconds elsewhere. */
export class Progress {
  private shown: number;
  private onScreen = false;

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    private readonly screen: Screen,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.shown = now();
  }

  /** `step` says what is done with how many, such as `checked 12,000 lines`. */
  show(step: string): void {
    const every = this.screen.isTTY ? TERMINAL_EVERY_MS : LINE_EVERY_MS;
    if (this.now() - this.shown < every) return;
    this.shown = this.now();
    this.screen.write(this.screen.isTTY ? `${CLEAR_LINE}${step}` : `${step}\n`);
    this.onScreen = this.screen.isTTY === true;
  }

  /** A line that stays, such as a fault or the result. */
  say(line: string): boolean {
    const written = this.screen.write(`${this.onScreen ? CLEAR_LINE : ''}${line}\n`);
    this.onScreen = false;
    return written;
  }
}
