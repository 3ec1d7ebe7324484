const TERMINAL_EVERY_MS = 100;
const LINE_EVERY_MS = 5_000;
const CLEAR_LINE = '\r\u001b[K';

/** What of `process.stderr` is used. */
export interface Terminal {
  readonly isTTY?: boolean | undefined;
  write(text: string): boolean;
}

/** Where commands say how far they are: a line that changes in place on a terminal, plain lines elsewhere. */
export class Screen {
  private shownAt: number;
  private changing = false;

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    private readonly terminal: Terminal,
    private readonly now: () => number = () => performance.now(),
  ) {
    // What is over at once needs no word but its result.
    this.shownAt = now();
  }

  /** How far it is, such as `checked 12,000 lines`. Passed over when the last one is too new. */
  show(step: string): void {
    const { isTTY = false } = this.terminal;
    if (this.now() - this.shownAt < (isTTY ? TERMINAL_EVERY_MS : LINE_EVERY_MS)) return;
    this.shownAt = this.now();
    this.terminal.write(isTTY ? `${CLEAR_LINE}${step}` : `${step}\n`);
    this.changing = isTTY;
  }

  /** A line that stays, such as a fault or the result. */
  say(line: string): void {
    this.terminal.write(`${this.changing ? CLEAR_LINE : ''}${line}\n`);
    this.changing = false;
  }
}
