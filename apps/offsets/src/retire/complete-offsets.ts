import type { LedgerEntry } from '../domain/ledger-chain.js';
import { completedEvent } from '../domain/outcome.js';
import type { Move } from '../metrics/move.js';
import type { Query } from '../persistence/database.js';
import { DECIDED_COLUMNS, type DecidedRow, decidedOffset } from '../persistence/decided-offset.js';
import { moveTo } from '../persistence/move-to.js';
import { addToOutbox } from '../persistence/outbox.js';
import { tokensOf } from './tokens.js';
import { writeLedger } from './write-ledger.js';

interface HeldRow extends DecidedRow {
  readonly grams: string;
  readonly cost_micros: string;
  readonly at: Date;
  readonly seconds: number;
}

/** An offset that is retired, under whose lease, and how the registry knows that. */
export interface RetiredOffset {
  readonly offset: string;
  readonly token: string;
  readonly reference?: string | undefined;
}

/**
 * Writes retired offsets down, all of it or nothing: the ledger, the supply, the offset and the event. Offsets that are
 * not held under these tokens any more are somebody else's and are left out; those that are cannot be taken while this
 * runs. Gives what has become of those that were held.
 */
export async function completeOffsets(query: Query, retired: readonly RetiredOffset[]): Promise<Move[]> {
  const references = new Map(retired.map(({ offset, reference }) => [offset, reference]));
  const rows = await complete(query, retired);
  if (rows.length === 0) return [];
  const held = rows.map((row) => ({ ...row, reference: references.get(row.id) }));
  const entries = await writeLedger(query, held);
  const byOffset = Map.groupBy(entries, ({ offset }) => offset);
  for (const row of held) requireWhole(row, byOffset.get(row.id) ?? []);
  await addToOutbox(
    query,
    held.map((row) => completedOutcome(row, byOffset.get(row.id) ?? [])),
  );
  return held.map(completion);
}

function completion({ seconds, at, created_at }: HeldRow): Move {
  const sinceAccepted = (at.getTime() - created_at.getTime()) / 1_000;
  return { from: 'processing', to: 'completed', seconds, sinceAccepted };
}

/** Nobody is told that an offset is retired of which a gram is missing in the ledger, or one too many is in it. */
function requireWhole({ id, grams }: HeldRow, entries: readonly LedgerEntry[]): void {
  const retired = entries.reduce((sum, entry) => sum + entry.grams, 0n);
  if (retired !== BigInt(grams)) throw new Error(`Of ${id}, ${retired} g would be retired, not ${grams} g.`);
}

/** Before the ledger: this is what locks the offsets, and they are locked before the supply, as by everyone. */
function complete(query: Query, retired: readonly RetiredOffset[]): Promise<HeldRow[]> {
  return query<HeldRow>(
    `UPDATE offsets SET ${moveTo('processing', 'completed')}, lease_token = NULL, lease_until = NULL
     WHERE id = ANY ($1) AND lease_token = ANY ($2)
     RETURNING ${DECIDED_COLUMNS}, grams, cost_micros, completed_at AS at,
       extract(epoch FROM completed_at - coalesce(processing_at, old.updated_at))::double precision AS seconds`,
    [retired.map(({ offset }) => offset), tokensOf(retired)],
  );
}

function completedOutcome(row: HeldRow, entries: readonly LedgerEntry[]) {
  const offset = { ...decidedOffset(row), grams: BigInt(row.grams), costMicros: BigInt(row.cost_micros) };
  const data = completedEvent(offset, entries, row.at.toISOString());
  return { type: 'offset.completed.v1', data, traceparent: row.traceparent } as const;
}
