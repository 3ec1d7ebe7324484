import { estimatesInHand } from '../domain/estimates-in-hand.js';
import type { Query } from '../persistence/database.js';
import { lockPlain, type Queued } from './lock-rows.js';

interface CountRow {
  readonly id: string;
  readonly line_count: number;
}

/**
 * Cuts a batch of `most` by the lines of the estimates named in it, before any of them is read: many large ones must not stall the
 * others. Whose estimate is too much stays queued for a batch to come; its place is given to offsets that name none.
 */
export async function cutBatch(query: Query, queued: readonly Queued[], most: number): Promise<readonly Queued[]> {
  const named = queued.flatMap(({ estimateId }) => (estimateId === undefined ? [] : [estimateId]));
  if (named.length === 0) return queued;
  const inHand = estimatesInHand(named, await countLines(query, named));
  const kept = queued.filter(({ estimateId }) => estimateId === undefined || inHand.has(estimateId));
  if (kept.length === queued.length || queued.length < most) return kept;
  return [...kept, ...(await lockPlain(query, queued, most - kept.length))];
}

/** An estimate is written once, so its lines can be counted before it is locked. */
async function countLines(query: Query, estimates: readonly string[]): Promise<Map<string, number>> {
  const rows = await query<CountRow>('SELECT id, line_count FROM estimates WHERE id = ANY ($1)', [
    [...new Set(estimates)],
  ]);
  return new Map(rows.map(({ id, line_count }) => [id, line_count]));
}
