import { Logger } from '@nestjs/common';
import type { Gauge } from './instruments.js';

/** Figures that must be asked for, such as of a database, when somebody wants to see them. */
export interface FigureSource<T> {
  /** What is asked, in a word: the value of the label `source`. */
  readonly source: string;
  readonly ask: () => Promise<T>;
  /** Puts an answer into the gauges, which have been cleared. */
  readonly show: (answer: T) => void;
  readonly gauges: readonly Pick<Gauge<never>, 'clear'>[];
  /** How long those who look wait for the answer. Milliseconds. */
  readonly deadlineMs?: number;
  /** How long an answer, or that there is none, is given again. Milliseconds. */
  readonly keptMs?: number;
}

const DEADLINE_MS = 1_500;
const KEPT_MS = 5_000;

/**
 * Asks at most once at a time and at most every few seconds, however often somebody looks: looking must not burden what is
 * looked at. When there is no answer in time the gauges are empty.
 */
export class Figures<T> {
  private readonly logger = new Logger('metrics');
  private asked: { answer: Promise<T>; until: number } | undefined;
  private wasUp = true;

  constructor(
    private readonly settings: FigureSource<T>,
    private readonly up: Gauge<'source'>,
  ) {}

  /** Brings the gauges up to date; never throws. */
  async refresh(): Promise<void> {
    const { source, gauges, show, deadlineMs = DEADLINE_MS } = this.settings;
    try {
      const answer = await inTime(this.answer(), deadlineMs);
      for (const gauge of gauges) gauge.clear();
      show(answer);
      this.up.set(1, { source });
      this.wasUp = true;
    } catch (error) {
      for (const gauge of gauges) gauge.clear();
      this.up.set(0, { source });
      if (this.wasUp) this.logger.warn('Figures are not to be had', error, { name: source });
      this.wasUp = false;
    }
  }

  private answer(): Promise<T> {
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
