import type { LedgerEntry } from '../domain/ledger-chain.js';
import type { OffsetRow } from '../domain/offset-row.js';
import { completedEvent, failedEvent } from '../domain/outcome-events.js';
import type { StatusChange } from '../metrics/offset-metrics.js';
import { addToOutbox, type OutboxRow, type OutcomeEvent } from '../outbox/outbox-rows.js';
import type { Query } from '../persistence/database.js';
import { updateOffsets } from '../persistence/offset-rows.js';
import { appendToLedger, type References, type Retirements } from './ledger.js';

/** Offsets that a transaction has moved to `completed`, and what it retires for them. */
export interface Completion extends Retirements {
  readonly rows: readonly OffsetRow[];
  /** Leases the events to the relay that knows the token. */
  readonly token?: string | undefined;
}

/**
 * Writes ledger, supply and events in the transaction that moved the offsets. The rows of the assets must be locked.
 * @throws Error for an offset that would be retired by a gram more or less than it has
 */
export async function writeCompletion(query: Query, completion: Completion): Promise<readonly OutboxRow[]> {
  const { rows, at, references, token } = completion;
  const { entries, written } = await appendToLedger(query, completion);
  // The server writes the ledger while the events are built here.
  const adding = async () => addToOutbox(query, completedOutcomes(rows, entries, at, references), token);
  const [events] = await Promise.all([adding(), written]);
  return events;
}

function completedOutcomes(
  rows: readonly OffsetRow[],
  entries: readonly LedgerEntry[],
  at: Date,
  references?: References,
): OutcomeEvent[] {
  const byOffset = Map.groupBy(entries, ({ offset }) => offset);
  return rows.map((row) => {
    const own = byOffset.get(row.id) ?? [];
    const retired = own.reduce((sum, { grams }) => sum + grams, 0n);
    if (retired !== row.grams) throw new Error(`Of ${row.id}, ${retired} g would be retired, not ${row.grams} g.`);
    const data = completedEvent(row, own, at, references?.get(row.id));
    return { type: 'offset.completed.v1', data, traceparent: row.traceparent };
  });
}

/** Moves locked offsets to `failed`, with the failure that each row has, and adds their events to the outbox. */
export async function failOffsets(
  query: Query,
  from: 'queued' | 'processing',
  rows: readonly OffsetRow[],
): Promise<StatusChange[]> {
  if (rows.length === 0) return [];
  const at = await updateOffsets(query, [from, 'failed'], rows);
  await addToOutbox(query, failedOutcomes(rows, at));
  return rows.map((row) => ({
    ...finalStatusChange(row, from, 'failed', at),
    ...(row.failure && { code: row.failure.code }),
  }));
}

/** The events of those rows that failed, at `at`. */
export function failedOutcomes(rows: readonly OffsetRow[], at: Date): OutcomeEvent[] {
  return rows.flatMap((row) => {
    if (row.failure === null) return [];
    return { type: 'offset.failed.v1', data: failedEvent(row, row.failure, at), traceparent: row.traceparent } as const;
  });
}

/** A change to a final status, for the metrics. `row` has the dates from before the change, and the cost of a completed offset. */
export function finalStatusChange(
  row: OffsetRow,
  from: StatusChange['from'],
  to: StatusChange['to'],
  at: Date,
): StatusChange {
  const { grams, costMicros, createdAt, processingAt } = row;
  const seconds = secondsBetween(processingAt ?? createdAt, at);
  const change = { from, to, seconds, sinceAccepted: secondsBetween(createdAt, at) };
  return to === 'completed' && costMicros !== null ? { ...change, retired: { grams, costMicros } } : change;
}

function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1_000;
}
