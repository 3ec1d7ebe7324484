import { setTimeout as pause } from 'node:timers/promises';
import type { LoadClient } from './client.js';

/** How the accepted offsets ended. */
export interface EndReport {
  readonly completed: number;
  /** Ids by another end state, or `queued`/`processing` when the time ran out. */
  readonly others: Map<string, string[]>;
  /** Accepted ids that are not found. */
  readonly errors: string[];
  readonly seconds: number;
}

/** The pause grows, because hundreds of reads a second would slow down what they wait for. */
const POLL_MS = { first: 50, factor: 1.5, longest: 250 };

/** Reads every id, `inFlight` at a time, until each is completed or failed or `timeoutMs` is over. */
export async function awaitCompleted(
  client: LoadClient,
  ids: Iterable<string>,
  { inFlight, timeoutMs }: { inFlight: number; timeoutMs: number },
): Promise<EndReport> {
  const begun = performance.now();
  const waiting = [...ids];
  const ends = new Map<string, string>();
  const errors: string[] = [];
  const worker = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const status = await endOf(client, id, begun + timeoutMs, errors);
      ends.set(id, status);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  const others = Map.groupBy(ends.keys(), (id) => ends.get(id) ?? 'unread');
  const completed = others.get('completed')?.length ?? 0;
  others.delete('completed');
  return { completed, others, errors, seconds: (performance.now() - begun) / 1000 };
}

async function endOf(client: LoadClient, id: string, deadline: number, errors: string[]): Promise<string> {
  for (let ms = POLL_MS.first; ; ms = Math.min(ms * POLL_MS.factor, POLL_MS.longest)) {
    const answer = await client.get(`/v1/offsets?id=${id}`);
    const status = answer.kind === 'answer' && answer.status === 200 ? statusOf(answer.body) : 'unread';
    if (status === 'completed' || status === 'failed') return status;
    if (answer.kind === 'answer' && ![200, 503].includes(answer.status)) {
      errors.push(`${id}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return String(answer.status);
    }
    if (performance.now() > deadline) return status;
    await pause(ms);
  }
}

function statusOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'status' in body ? String(body.status) : 'unread';
}
