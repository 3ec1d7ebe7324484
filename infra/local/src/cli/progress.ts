import { stripVTControlCharacters } from 'node:util';
import type { FetchProgress } from '../engines/fetch.js';
import type { PartEvent } from '../supervise/part.js';

const REFRESH_MS = 500;

/** Prints what happens while the system starts, runs and stops. */
export class StartReporter {
  private readonly startedAt = Date.now();
  private readonly startingParts = new Map<string, number>();
  private fetched: FetchProgress | undefined;
  private readonly timer = setInterval(() => this.output.status(this.status()), REFRESH_MS);

  constructor(private readonly output: TerminalOutput) {
    this.timer.unref();
  }

  readonly say = (sentence: string): void => {
    this.output.line(`${this.clock()} ${sentence}`);
  };

  readonly onFetchProgress = (progress: FetchProgress): void => {
    if (this.fetched === undefined) this.say('downloading Kafka and OpenSearch with Maven, only on the first start');
    this.fetched = progress;
  };

  readonly onEvent = (event: PartEvent): void => {
    this.fetched = undefined;
    if (event.kind === 'starting') this.startingParts.set(event.part, Date.now());
    else if (event.kind !== 'stopping') this.startingParts.delete(event.part);
    const sentence = sentenceOf(event);
    if (sentence !== undefined) this.say(sentence);
  };

  /** Prints no more status lines, only plain lines. */
  quiet(): void {
    clearInterval(this.timer);
    this.output.status('');
  }

  /** Seconds since the start, so that a log shows where the time went. */
  private clock(): string {
    return `${((Date.now() - this.startedAt) / 1000).toFixed(1).padStart(6)} s `;
  }

  private status(): string {
    if (this.fetched !== undefined) {
      return `${this.clock()} … ${this.fetched.files} files, ${(this.fetched.bytes / 1e6).toFixed(0)} MB downloaded`;
    }
    const waits = [...this.startingParts].map(
      ([part, since]) => `${part} (${Math.round((Date.now() - since) / 1000)} s)`,
    );
    return waits.length === 0 ? '' : `${this.clock()} … waiting for ${waits.join(', ')}`;
  }
}

function sentenceOf(event: PartEvent): string | undefined {
  switch (event.kind) {
    case 'starting':
      return undefined;
    case 'ready':
      return `${event.part} is ready${event.again ? ' again' : ''}, after ${(event.afterMs / 1000).toFixed(1)} s`;
    case 'done':
      return event.sentence === undefined ? undefined : `${event.part}: ${event.sentence}`;
    case 'exited':
      return `${event.part} ${event.how}; it restarts in ${event.againInMs / 1000} s`;
    case 'stopping':
      return `stopping ${event.part}`;
    case 'stopped':
      return `${event.part} has stopped`;
  }
}

/** The output of the launcher: permanent lines, and on a terminal a last line that changes. */
export interface TerminalOutput {
  /** Prints a permanent line. */
  line(text: string): void;
  /**
   * Shows the current step. On a terminal it replaces the previous one; elsewhere it is a plain line every few seconds.
   */
  status(text: string): void;
}

const PLAIN_EVERY_MS = 10_000;
const USUAL_COLUMNS = 80;
const CLEAR_LINE = '\r\u001b[2K';

/** Returns the output of this stream. */
export function terminalOutput(out: NodeJS.WriteStream, now: () => number = Date.now): TerminalOutput {
  // The reader may be gone (a closed terminal, `| head`); that is no reason to exit.
  out.on('error', () => {});
  return out.isTTY ? interactiveOutput(out) : plainOutput(out, now);
}

function interactiveOutput(out: NodeJS.WriteStream): TerminalOutput {
  let shown = '';
  return {
    line: (text) => out.write(`${CLEAR_LINE}${text}\n${shown}`),
    status: (text) => {
      shown = stripVTControlCharacters(text).slice(0, (out.columns || USUAL_COLUMNS) - 1);
      out.write(`${CLEAR_LINE}${shown}`);
    },
  };
}

function plainOutput(out: NodeJS.WriteStream, now: () => number): TerminalOutput {
  let last = { text: '', at: now() };
  return {
    line: (text) => out.write(`${text}\n`),
    status: (text) => {
      if (text === '' || text === last.text || now() - last.at < PLAIN_EVERY_MS) return;
      last = { text, at: now() };
      out.write(`${text}\n`);
    },
  };
}
