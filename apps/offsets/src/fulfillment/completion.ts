import type { LedgerEntry } from '../domain/ledger-chain.js';
import { completedEvent } from '../domain/outcome.js';
import { addToOutbox, type OutboxRow } from '../outbox/outbox-rows.js';
import type { Query } from '../persistence/database.js';
import { DECIDED_COLUMNS, type DecidedRow, decidedOffset } from './decided-offset.js';

/** An offset that has just become `completed`. */
export interface CompletedRow extends DecidedRow {
  readonly grams: string;
  readonly cost_micros: string;
  readonly at: Date;
  /** An external registry's name for the retirement. */
  readonly reference?: string | undefined;
}

/** The columns of a {@link CompletedRow}. */
export const COMPLETED_COLUMNS = `${DECIDED_COLUMNS}, grams, cost_micros, completed_at AS at`;

/**
 * Writes down the events of offsets that are completed with these entries, in the transaction that completes them; with a
 * token they are held under it.
 */
export async function writeCompletion(
  query: Query,
  rows: readonly CompletedRow[],
  entries: readonly LedgerEntry[],
  token?: string,
): Promise<readonly OutboxRow[]> {
  const byOffset = Map.groupBy(entries, ({ offset }) => offset);
  const outcomes = rows.map((row) => completedOutcome(row, whole(row, byOffset.get(row.id) ?? [])));
  return addToOutbox(query, outcomes, token);
}

/** Seconds from its acceptance to its completion. */
export function sinceAccepted({ at, created_at }: CompletedRow): number {
  return (at.getTime() - created_at.getTime()) / 1_000;
}

/** Nobody is told that an offset is retired of which a gram is missing in the ledger, or one too many is in it. */
function whole({ id, grams }: CompletedRow, entries: readonly LedgerEntry[]): readonly LedgerEntry[] {
  const retired = entries.reduce((sum, entry) => sum + entry.grams, 0n);
  if (retired !== BigInt(grams)) throw new Error(`Of ${id}, ${retired} g would be retired, not ${grams} g.`);
  return entries;
}

function completedOutcome(row: CompletedRow, entries: readonly LedgerEntry[]) {
  const { grams, cost_micros, reference } = row;
  const offset = { ...decidedOffset(row), grams: BigInt(grams), costMicros: BigInt(cost_micros), reference };
  const data = completedEvent(offset, entries, row.at.toISOString());
  return { type: 'offset.completed.v1', data, traceparent: row.traceparent } as const;
}
