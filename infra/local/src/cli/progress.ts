import type { ProgressReporter } from '@carbon/terminal';
import type { FetchProgress } from '../engines/fetch.js';
import type { PartEvent } from '../supervise/part.js';

const REFRESH_MS = 500;

/** Prints what happens while the system starts, runs and stops. */
export class StartReporter {
  private readonly startedAt = Date.now();
  private readonly startingParts = new Map<string, number>();
  private fetched: FetchProgress | undefined;
  private readonly timer = setInterval(() => this.showStatus(), REFRESH_MS).unref();

  constructor(private readonly output: ProgressReporter) {}

  readonly say = (sentence: string): void => {
    this.output.say(`${this.clock()} ${sentence}`);
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
    this.output.clear();
  }

  /** Seconds since the start, so that a log shows where the time went. */
  private clock(): string {
    return `${((Date.now() - this.startedAt) / 1000).toFixed(1).padStart(6)} s `;
  }

  private showStatus(): void {
    const status = this.status();
    if (status === undefined) this.output.clear();
    else this.output.progress(status);
  }

  private status(): string | undefined {
    if (this.fetched !== undefined) {
      return `${this.clock()} … ${this.fetched.files} files, ${(this.fetched.bytes / 1e6).toFixed(0)} MB downloaded`;
    }
    const waits = [...this.startingParts].map(
      ([part, since]) => `${part} (${Math.round((Date.now() - since) / 1000)} s)`,
    );
    return waits.length === 0 ? undefined : `${this.clock()} … waiting for ${waits.join(', ')}`;
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
