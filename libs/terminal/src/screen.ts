import { printable } from './printable.js';
import { cutTo } from './width.js';

const TERMINAL_EVERY_MS = 100;
const LINE_EVERY_MS = 5_000;
/** Of a terminal that does not say how wide it is: it says nothing, or 0. */
const COLUMNS = 80;
const CLEAR_LINE = '\r\u001b[K';

/** What of `process.stderr` is used. */
export interface Terminal {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
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
    // A line that goes on in the next one could not be changed in place.
    const line = printable(step);
    this.terminal.write(isTTY ? `${CLEAR_LINE}${cutTo(line, (this.terminal.columns || COLUMNS) - 1)}` : `${line}\n`);
    this.changing = isTTY;
  }

  /** Takes back what is shown, before something else is written there. */
  clear(): void {
    if (this.changing) this.terminal.write(CLEAR_LINE);
    this.changing = false;
  }

  /** A line that stays, such as a fault or the result. */
  say(line: string): void {
    this.terminal.write(`${this.changing ? CLEAR_LINE : ''}${line}\n`);
    this.changing = false;
  }
}
