import { setTimeout as sleep } from 'node:timers/promises';
import { offsetView, queuedOffsetView } from '@carbon/contracts';
import type { Answer } from '@carbon/e2e/load';
import { z } from 'zod';
import type { Random } from '../random.js';

/** The last view that a client got of an accepted offset. */
export interface LastView {
  readonly status: string;
  /** Its complete view, as text, once it has ended. */
  readonly view: string | undefined;
  /** ms of `performance.now()`. */
  readonly at: number;
}

/** An outcome that was seen, and another one later. */
export interface Change {
  readonly id: string;
  readonly before: string;
  readonly after: string;
  /** The time of the first, ms of `performance.now()`. */
  readonly seenAt: number;
}

const READERS = 8;
const LOOK_AGAIN_MS = 1_000;
/** At most about 130 offsets a second: more reads would take processor time from the tested system. */
const PAUSE_MS = 50;
/** Share of the reads of offsets that have ended, to check that they do not change. */
const OF_ENDED = 0.2;
const ENDED = new Set(['completed', 'failed']);
const view = z.union([offsetView, queuedOffsetView]);

/** Reads accepted offsets repeatedly until they end, and ended ones repeatedly after that. */
export class Observer {
  readonly seen = new Map<string, LastView>();
  readonly changes: Change[] = [];
  /** Accepted offsets that got 404. */
  readonly notFound = new Set<string>();
  /** Responses that no read should get. */
  readonly unexpected: string[] = [];
  private readonly waiting: { readonly id: string; readonly due: number }[] = [];
  private readonly ended: string[] = [];
  private readonly ending = new AbortController();
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly get: (path: string) => Promise<Answer>,
    private readonly random: Random,
  ) {}

  /** Starts to read an offset. */
  readonly watch = (id: string): void => {
    this.waiting.unshift({ id, due: 0 });
  };

  start(): void {
    this.running = Promise.all(Array.from({ length: READERS }, () => this.run()));
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.running;
  }

  /** Reads one now, and returns whether it has ended. */
  async look(id: string): Promise<boolean> {
    const answer = await this.get(`/v1/offsets?id=${id}`);
    if (answer.kind === 'broken' || answer.status === 503) return false;
    if (answer.status === 404) this.notFound.add(id);
    else if (answer.status !== 200) this.unexpected.push(`${id}: ${answer.status} ${JSON.stringify(answer.body)}`);
    if (answer.status !== 200) return false;
    const read = view.safeParse(answer.body);
    if (!read.success) this.unexpected.push(`${id}: ${JSON.stringify(answer.body)}`);
    return read.success && this.compare(id, read.data.status, JSON.stringify(answer.body));
  }

  private compare(id: string, status: string, text: string): boolean {
    const isEnded = ENDED.has(status);
    const before = this.seen.get(id);
    const now = { status, view: isEnded ? text : undefined, at: performance.now() };
    if (before?.view !== undefined && before.view !== now.view) {
      this.changes.push({ id, before: before.view, after: text, seenAt: before.at });
    }
    // The time at which an outcome was first seen decides whether it may be lost.
    if (before?.view === undefined || before.view !== now.view) this.seen.set(id, now);
    return isEnded;
  }

  private async run(): Promise<void> {
    while (!this.ending.signal.aborted) {
      const again = this.ended.length > 0 && this.random.next() < OF_ENDED;
      if (again) await this.look(this.random.pick(this.ended));
      else await this.lookAtNext();
      await sleep(PAUSE_MS);
    }
  }

  private async lookAtNext(): Promise<void> {
    const at = this.waiting.findIndex(({ due }) => due <= performance.now());
    const [next] = at < 0 ? [] : this.waiting.splice(at, 1);
    if (next === undefined) return;
    if (await this.look(next.id)) this.ended.push(next.id);
    else this.waiting.push({ id: next.id, due: performance.now() + LOOK_AGAIN_MS });
  }
}
