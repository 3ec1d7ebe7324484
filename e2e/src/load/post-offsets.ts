import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, acceptedId, type LoadClient } from './client.js';

/** How much to post, how hard, and what weights. */
export interface PostOptions {
  readonly count: number;
  readonly inFlight: number;
  /** Kilograms of the n-th offset. */
  readonly weight: (n: number) => number;
  /** Distinguishes the idempotency keys of this run from any other's. */
  readonly run: string;
  /** After this long nothing is retried any more, ms. */
  readonly giveUpAfterMs: number;
  /** One in so many accepted ids is read back at once. */
  readonly readBackEvery: number;
  /** Which are posted with a key; all by default. The others use the `retryKey` of a 503. */
  readonly isKeyed?: (n: number) => boolean;
  /** How many are begun in a second; no limit by default. */
  readonly perSecond?: number;
  /** Ends the load early: nothing new is begun. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (accepted: number) => void;
}

/** What the client of the load saw. */
export interface PostReport {
  /** Accepted ids by idempotency key. */
  readonly accepted: Map<string, string>;
  /** How often each outcome was seen: a status, or `broken` for a cut connection. */
  readonly outcomes: Map<string, number>;
  /** Different ids under one key, unexpected statuses, accepted ids that are not found. */
  readonly errors: string[];
  /** Milliseconds of every 202, ascending. */
  readonly latencies: number[];
  /** Milliseconds of the slowest POST, whatever its answer. */
  longestMs: number;
  readonly seconds: number;
}

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 1_000;

/** Posts `count` offsets, each retried under one key until it is accepted, as a careful client would. */
export async function postOffsets(client: LoadClient, options: PostOptions): Promise<PostReport> {
  const begun = performance.now();
  const report: PostReport = {
    accepted: new Map(),
    outcomes: new Map(),
    errors: [],
    latencies: [],
    longestMs: 0,
    seconds: 0,
  };
  let next = 0;
  const worker = async () => {
    while (next < options.count && options.signal?.aborted !== true) {
      const n = next;
      next += 1;
      await due(options.perSecond, n, begun);
      await postOne(client, options, report, n, begun);
    }
  };
  await Promise.all(Array.from({ length: options.inFlight }, worker));
  report.latencies.sort((a, b) => a - b);
  return { ...report, seconds: (performance.now() - begun) / 1000 };
}

/** Waits until the n-th is due. */
async function due(perSecond: number | undefined, n: number, begun: number): Promise<void> {
  if (perSecond === undefined) return;
  const waitMs = begun + (n * 1_000) / perSecond - performance.now();
  if (waitMs > 0) await pause(waitMs);
}

async function postOne(
  client: LoadClient,
  options: PostOptions,
  report: PostReport,
  n: number,
  begun: number,
): Promise<void> {
  const key = `${options.run}-${n}`;
  const body = { kgCO2e: options.weight(n), customerRef: key };
  let shownKey = (options.isKeyed?.(n) ?? true) ? key : undefined;
  for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(2 * waitMs, MAX_RETRY_MS)) {
    const sent = performance.now();
    const answer = await client.createOffset(body, shownKey);
    report.longestMs = Math.max(report.longestMs, performance.now() - sent);
    shownKey ??= retryKey(answer);
    count(report, answer.kind === 'broken' ? 'broken' : String(answer.status));
    const id = answer.kind === 'answer' && answer.status === 202 ? acceptedId(answer.body) : undefined;
    if (id !== undefined) {
      report.latencies.push(performance.now() - sent);
      return settle(client, options, report, key, id, n);
    }
    if (answer.kind === 'answer' && answer.status !== 503) {
      report.errors.push(`${key}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return;
    }
    if (performance.now() - begun > options.giveUpAfterMs) {
      report.errors.push(`${key}: not accepted in ${options.giveUpAfterMs} ms`);
      return;
    }
    await pause(waitMs);
  }
}

/** The key that a 503 asks to be used from now on. */
function retryKey(answer: Answer): string | undefined {
  if (answer.kind === 'broken' || typeof answer.body !== 'object' || answer.body === null) return undefined;
  return 'retryKey' in answer.body ? String(answer.body.retryKey) : undefined;
}

async function settle(
  client: LoadClient,
  options: PostOptions,
  report: PostReport,
  key: string,
  id: string,
  n: number,
): Promise<void> {
  report.accepted.set(key, id);
  options.onProgress?.(report.accepted.size);
  if (n % options.readBackEvery !== 0) return;
  const read = await client.get(`/v1/offsets?id=${id}`);
  if (read.kind === 'broken' || read.status === 503 || read.status === 200) return;
  report.errors.push(`${id}: accepted, then read as ${read.status} ${JSON.stringify(read.body)}`);
}

function count(report: PostReport, outcome: string): void {
  report.outcomes.set(outcome, (report.outcomes.get(outcome) ?? 0) + 1);
}

/** The value below which `share` of the ascending `values` lie. */
export function percentile(values: readonly number[], share: number): number {
  return values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
}
