import { destination } from 'pino';

/** What a text is handed on to. */
interface Out {
  write(text: string): unknown;
  /** Returns when all that was written is out. */
  flushSync(): void;
}

/** So many characters, or what has come in so many milliseconds, are written at once: each write is work for several threads. */
const TOGETHER = 16_384;
const LATEST_MS = 100;

/**
 * Gathers lines until there are many, or the first has waited long enough. pino's own stream gathers as well, but looks at
 * all it has with every line.
 */
export class GatheredLines {
  private text = '';
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly out: Out) {}

  write(line: string): void {
    this.text += line;
    if (this.text.length >= TOGETHER) this.handOn();
    else this.timer ??= setTimeout(() => this.handOn(), LATEST_MS);
  }

  /** Returns when every line is out. */
  flushSync(): void {
    this.handOn();
    this.out.flushSync();
  }

  private handOn(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.text === '') return;
    this.out.write(this.text);
    this.text = '';
  }
}

let output: GatheredLines | undefined;

/** The lines of this process on its standard output: at most a tenth of a second late, and out before it exits. */
export function standardOutput(): GatheredLines {
  output ??= openOutput();
  return output;
}

function openOutput(): GatheredLines {
  const out = destination({ dest: 1, sync: false });
  const lines = new GatheredLines(out);
  const lastWords = () => lines.flushSync();
  process.on('exit', lastWords);
  // A process that ends because nothing is left to do has no last words: the timer is something to do.
  out.on('close', () => process.off('exit', lastWords));
  return lines;
}
