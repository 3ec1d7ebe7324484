import type { Unallocated } from '../domain/allocation.js';
import type { LedgerEntry } from '../domain/ledger-chain.js';
import type { OffsetRow } from '../domain/offset-row.js';
import { completedEvent, failedEvent } from '../domain/outcome.js';
import type { Move } from '../metrics/move.js';
import { addToOutbox, type OutcomeEvent } from '../outbox/outbox.js';
import type { Query } from '../persistence/database.js';
import { moveTo } from '../persistence/move-to.js';

/** An external registry's names for retirements, by offset. */
export type References = ReadonlyMap<string, string>;

/**
 * The events of offsets that were completed at `at` with these ledger entries.
 * @throws Error for an offset that would be retired by a gram more or less than it has
 */
export function completedOutcomes(
  rows: readonly OffsetRow[],
  entries: readonly LedgerEntry[],
  at: Date,
  references: References = new Map(),
): OutcomeEvent[] {
  const byOffset = Map.groupBy(entries, ({ offset }) => offset);
  return rows.map((row) => {
    const own = byOffset.get(row.id) ?? [];
    const retired = own.reduce((sum, { grams }) => sum + grams, 0n);
    if (retired !== row.grams) throw new Error(`Of ${row.id}, ${retired} g would be retired, not ${row.grams} g.`);
    const data = completedEvent(row, own, at, references.get(row.id));
    return { type: 'offset.completed.v1', data, traceparent: row.traceparent };
  });
}

/** The events of those rows that failed, at `at`. */
export function failedOutcomes(rows: readonly OffsetRow[], at: Date): OutcomeEvent[] {
  return rows.flatMap((row) => {
    if (row.failure === null) return [];
    return { type: 'offset.failed.v1', data: failedEvent(row, row.failure, at), traceparent: row.traceparent } as const;
  });
}

/** Moves locked offsets from `queued` to `failed` and adds their events to the outbox. */
export async function failQueued(query: Query, failed: readonly Unallocated<OffsetRow>[]): Promise<Move[]> {
  if (failed.length === 0) return [];
  const rows = failed.map(({ offset, failure }) => ({ ...offset, failure }));
  const [moved] = await query<{ at: Date }>(
    `WITH moved AS (
       UPDATE offsets SET ${moveTo('queued', 'failed')}, failure_code = failed.code, failure_detail = failed.detail
       FROM unnest($1::text[], $2::text[], $3::text[]) AS failed (id, code, detail) WHERE offsets.id = failed.id
       RETURNING failed_at AS at
     ) SELECT at FROM moved LIMIT 1`,
    [rows.map(({ id }) => id), rows.map(({ failure }) => failure.code), rows.map(({ failure }) => failure.detail)],
  );
  if (moved === undefined) throw new Error('Offsets failed that were not locked.');
  await addToOutbox(query, failedOutcomes(rows, moved.at));
  return rows.map(({ createdAt, failure: { code } }) => {
    const seconds = secondsBetween(createdAt, moved.at);
    return { from: 'queued', to: 'failed', seconds, sinceAccepted: seconds, code };
  });
}

/** Seconds from one time to a later one. */
export function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1_000;
}
