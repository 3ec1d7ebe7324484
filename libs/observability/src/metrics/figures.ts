import { Logger } from '@nestjs/common';
import type { Gauge, Reading } from './instruments.js';

/** Figures that must be asked for, such as of a database, when somebody wants to see them. */
export interface FigureSource {
  /** What is asked, in a word: the value of the label `source`. */
  readonly source: string;
  readonly ask: () => Promise<readonly Reading[]>;
  /** How long those who look wait for the answer. Milliseconds. */
  readonly deadlineMs?: number;
  /** How long an answer, or that there was none, is given again. Milliseconds. */
  readonly keptMs?: number;
}

const DEADLINE_MS = 1_500;
const KEPT_MS = 5_000;

/**
 * Asks at most once at a time and at most every few seconds, however often somebody looks: looking must not burden what is
 * looked at. When there is no answer in time the figures are absent.
 */
export class Figures {
  private readonly logger = new Logger('metrics');
  private asked: { readonly answer: Promise<readonly Reading[]>; until: number } | undefined;
  private shown: readonly Reading[] = [];
  private wasUp = true;

  constructor(
    private readonly settings: FigureSource,
    private readonly up: Gauge<'source'>,
  ) {}

  /** Brings the figures up to date; never throws. */
  async refresh(): Promise<void> {
    const { source, deadlineMs = DEADLINE_MS } = this.settings;
    try {
      this.replace(await inTime(this.answer(), deadlineMs));
      this.up.set(1, { source });
      this.wasUp = true;
    } catch (error) {
      this.replace([]);
      this.up.set(0, { source });
      if (this.wasUp) this.logger.warn('Figures are not to be had', error, { name: source });
      this.wasUp = false;
    }
  }

  /** Takes back what it has shown. */
  forget(): void {
    this.replace([]);
    this.up.reading(0, { source: this.settings.source }).hide();
  }

  private replace(readings: readonly Reading[]): void {
    for (const reading of this.shown) reading.hide();
    for (const reading of readings) reading.show();
    this.shown = readings;
  }

  private answer(): Promise<readonly Reading[]> {
    if (this.asked === undefined || performance.now() > this.asked.until) {
      const { ask, keptMs = KEPT_MS } = this.settings;
      const asked = { answer: Promise.resolve().then(ask), until: Number.POSITIVE_INFINITY };
      const keep = () => {
        asked.until = performance.now() + keptMs;
      };
      asked.answer.then(keep, keep);
      this.asked = asked;
    }
    return this.asked.answer;
  }
}

async function inTime<T>(answer: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer in ${ms} ms`)), ms);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
