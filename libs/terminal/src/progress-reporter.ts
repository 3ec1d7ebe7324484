import { withoutSecrets } from '@carbon/auth';
import { cutTo, printable, printableLines } from './text.js';

const TERMINAL_INTERVAL_MS = 100;
const LINE_INTERVAL_MS = 5_000;
/** Work that takes less time than this shows no progress. */
const SILENT_MS = 500;
/** The width of a terminal that does not report one: it reports nothing, or 0. */
const DEFAULT_COLUMNS = 80;
const CLEAR_LINE = '\r\u001b[K';

/** The part of `process.stderr` or `process.stdout` that is used. */
export interface ProgressStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): boolean;
}

/** Reports progress: a line that changes in place on a terminal, plain lines elsewhere. */
export class ProgressReporter {
  private reportedAt: number;
  private isChanging = false;

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly stream: ProgressStream,
    private readonly now: () => number = () => performance.now(),
  ) {
    // Work that ends at once shows nothing but its result.
    this.reportedAt = now();
  }

  /** Shows a step such as `checked 12,000 lines`, unless the last one is too recent. */
  progress(step: string): void {
    const { isTTY = false, columns } = this.stream;
    if (this.now() - this.reportedAt < (isTTY ? TERMINAL_INTERVAL_MS : LINE_INTERVAL_MS)) return;
    this.reportedAt = this.now();
    // A line that wraps could not be changed in place.
    const line = withoutSecrets(printable(step));
    this.stream.write(isTTY ? `${CLEAR_LINE}${cutTo(line, (columns || DEFAULT_COLUMNS) - 1)}` : `${line}\n`);
    this.isChanging = isTTY;
  }

  /** Writes a line that stays. Neither secrets nor control characters in it reach the terminal. */
  say(line: string): void {
    this.clear();
    this.stream.write(`${withoutSecrets(printableLines(line))}\n`);
  }

  /** Removes the progress line. */
  clear(): void {
    if (this.isChanging) this.stream.write(CLEAR_LINE);
    this.isChanging = false;
  }

  /** Waits for work, and meanwhile shows what it waits for and how long it has waited. */
  async waitFor<T>(what: string, work: Promise<T>): Promise<T> {
    const begin = this.now();
    const timer = setInterval(() => {
      const ms = this.now() - begin;
      if (ms >= SILENT_MS) this.progress(`${what}, ${Math.floor(ms / 1_000)} s`);
    }, TERMINAL_INTERVAL_MS);
    try {
      return await work;
    } finally {
      clearInterval(timer);
      this.clear();
    }
  }
}
