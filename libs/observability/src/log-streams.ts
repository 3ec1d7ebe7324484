import { destination } from 'pino';

/** Logs at most some lines a second, and the number of the others: clients must not fill the disk. */
export class RateLimitedLog {
  private count = 0;

  /**
   * @param maxPerSecond the lines logged in a second
   * @param logSuppressed is called with the number of other lines at the end of a second that had any
   */
  constructor(
    private readonly maxPerSecond: number,
    private readonly logSuppressed: (count: number) => void,
  ) {}

  /** Calls `line`, or only counts it. */
  write(line: () => void): void {
    if (this.count === 0) setTimeout(() => this.end(), 1_000).unref();
    this.count += 1;
    if (this.count <= this.maxPerSecond) line();
  }

  private end(): void {
    const suppressed = this.count - this.maxPerSecond;
    this.count = 0;
    if (suppressed > 0) this.logSuppressed(suppressed);
  }
}

interface Output {
  write(text: string): unknown;
  flushSync(): void;
}

/** Lines are written in batches of so many characters, or after so many milliseconds. */
const BATCH_CHARACTERS = 16_384;
const MAX_DELAY_MS = 100;
/** While nobody reads standard output, lines beyond this are dropped. */
const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;

/** Writes lines in batches. pino's own buffering stream scans its whole buffer with every line. */
export class BatchedLogStream {
  private batch = '';
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly output: Output) {}

  write(line: string): void {
    this.batch += line;
    if (this.batch.length >= BATCH_CHARACTERS) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), MAX_DELAY_MS);
  }

  /** Returns when every line is written. */
  flushSync(): void {
    this.flush();
    this.output.flushSync();
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.batch === '') return;
    this.output.write(this.batch);
    this.batch = '';
  }
}

let stream: BatchedLogStream | undefined;

/** Returns the batched stream to standard output, flushed before the process exits. */
export function standardOutput(): BatchedLogStream {
  if (stream !== undefined) return stream;
  const output = destination({ dest: 1, sync: false, maxLength: MAX_BUFFERED_BYTES });
  const lines = new BatchedLogStream(output);
  const flush = () => lines.flushSync();
  process.on('exit', flush);
  // When nothing else is left to do, the pending timer keeps the process alive until the last batch is written.
  output.on('close', () => process.off('exit', flush));
  stream = lines;
  return lines;
}
