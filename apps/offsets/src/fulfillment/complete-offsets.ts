import type { PricedLine } from '../domain/line.js';
import type { StatusChange } from '../metrics/offset-metrics.js';
import type { Query } from '../persistence/database.js';
import { moveTo } from '../persistence/move-to.js';
import { adoptLines } from './adopt-lines.js';
import { COMPLETED_COLUMNS, type CompletedRow, sinceAccepted, writeCompletion } from './completion.js';
import { takeReserved } from './take-reserved.js';
import { tokensOf } from './tokens.js';
import { writeLedger } from './write-ledger.js';

interface HeldRow extends CompletedRow {
  readonly seconds: number;
}

/** An offset that is retired, under whose lease, and how the registry knows that. */
export interface RetiredOffset {
  readonly offset: string;
  readonly token: string;
  readonly reference?: string | undefined;
  /** What the registry has retired, where that is not what is reserved. */
  readonly lines?: readonly PricedLine[] | undefined;
}

/**
 * Writes retired offsets down, all of it or nothing: the ledger, the supply, the offset and the event. Offsets that are
 * not held under these tokens any more are somebody else's and are left out; those that are cannot be taken while this
 * runs. Gives what has become of those that were held.
 */
export async function completeOffsets(query: Query, retired: readonly RetiredOffset[]): Promise<StatusChange[]> {
  const references = new Map(retired.map(({ offset, reference }) => [offset, reference]));
  await adoptLines(
    query,
    retired.flatMap(({ offset, token, lines }) => (lines === undefined ? [] : [{ offset, token, lines }])),
  );
  const rows = await complete(query, retired);
  if (rows.length === 0) return [];
  const held = rows.map((row) => ({ ...row, reference: references.get(row.id) }));
  const lines = await takeReserved(
    query,
    held.map(({ id }) => id),
  );
  await writeCompletion(query, held, await writeLedger(query, held, lines, { reserved: true }));
  return held.map((row) => ({
    from: 'processing',
    to: 'completed',
    seconds: row.seconds,
    sinceAccepted: sinceAccepted(row),
  }));
}

/** Before the ledger: this is what locks the offsets, and they are locked before the supply, as by everyone. */
function complete(query: Query, retired: readonly RetiredOffset[]): Promise<HeldRow[]> {
  return query<HeldRow>(
    `UPDATE offsets SET ${moveTo('processing', 'completed')}, lease_token = NULL, lease_until = NULL
     WHERE id = ANY ($1) AND lease_token = ANY ($2)
     RETURNING ${COMPLETED_COLUMNS},
       extract(epoch FROM completed_at - coalesce(processing_at, old.updated_at))::double precision AS seconds`,
    [retired.map(({ offset }) => offset), tokensOf(retired)],
  );
}
