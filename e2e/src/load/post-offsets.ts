import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, acceptedId, type LoadClient } from './client.js';

/** The number, concurrency, rate and weights of the offsets to post. */
export interface PostOptions {
  readonly count: number;
  readonly inFlight: number;
  /** Kilograms of the n-th offset. */
  readonly weight: (n: number) => number;
  /** Distinguishes the idempotency keys of this run from any other's. */
  readonly run: string;
  /** Time after which retries stop, in milliseconds. */
  readonly giveUpAfterMs: number;
  /** Every n-th offset is read back immediately after it is accepted. */
  readonly readBackEvery: number;
  /** Whether the n-th offset is posted with a key; all are by default. The others use the `retryKey` of a 503. */
  readonly isKeyed?: (n: number) => boolean;
  /** The number of offsets to start per second; no limit by default. */
  readonly perSecond?: number;
  /** Ends the load early: no new offset is started. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (accepted: number) => void;
}

/** The results that the load client observed. */
export interface PostReport {
  /** Accepted ids by idempotency key. */
  readonly accepted: Map<string, string>;
  /** The count of each outcome: a status, or `broken` for a broken connection. */
  readonly outcomes: Map<string, number>;
  /** Different ids under one key, unexpected statuses, accepted ids that are not found. */
  readonly errors: string[];
  /** Latency of every 202 in milliseconds, ascending. */
  readonly latencies: number[];
  /** Latency of the slowest POST in milliseconds, with any outcome. */
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

/** Waits until the n-th offset is due. */
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

/** Returns the `retryKey` of a 503 response, with which the client must retry. */
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
