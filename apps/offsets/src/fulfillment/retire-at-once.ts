import type { Served } from '../domain/allocation.js';
import type { StatusChange } from '../metrics/offset-metrics.js';
import type { OutboxRow } from '../outbox/outbox-rows.js';
import type { Query } from '../persistence/database.js';
import { moveTo } from '../persistence/move-to.js';
import { COMPLETED_COLUMNS, type CompletedRow, sinceAccepted, writeCompletion } from './completion.js';
import { writeLedger } from './write-ledger.js';

/** Writes these offsets down as completed, with the dates of both moves; gives their rows. */
export type Complete = (query: Query, served: readonly Served[]) => Promise<readonly CompletedRow[]>;

/** How {@link retireAtOnce} goes about it. */
export interface AtOnce {
  /** What the events are held under, to be announced by whoever knows it. */
  readonly token?: string | undefined;
  /** Unless told, they are queued and locked. */
  readonly complete?: Complete | undefined;
}

/**
 * Retires what these offsets are given, in the transaction that decides it: `queued → processing → completed`, both dated,
 * with ledger, supply and event, all of it or nothing. Nothing need be reserved in between, nor held: until the commit the
 * rows of the offsets and of the assets are locked, and after it all is done. Those of the assets must be locked already.
 */
export async function retireAtOnce(
  query: Query,
  served: readonly Served[],
  { token, complete = completeQueued }: AtOnce = {},
): Promise<{ moves: readonly StatusChange[]; events: readonly OutboxRow[] }> {
  if (served.length === 0) return { moves: [], events: [] };
  const rows = await complete(query, served);
  if (rows.length !== served.length) throw new Error('Offsets were retired that were not locked.');
  const lines = served.flatMap(({ offset, lines }) => lines.map((line) => ({ ...line, offset })));
  const entries = await writeLedger(query, rows, lines, { reserved: false });
  const events = await writeCompletion(query, rows, entries, token);
  const moves = rows.flatMap((row): StatusChange[] => {
    const seconds = sinceAccepted(row);
    return [
      { from: 'queued', to: 'processing', seconds },
      { from: 'processing', to: 'completed', seconds: 0, sinceAccepted: seconds },
    ];
  });
  return { moves, events };
}

function completeQueued(query: Query, served: readonly Served[]): Promise<CompletedRow[]> {
  return query<CompletedRow>(
    `UPDATE offsets SET ${moveTo('queued', 'processing', 'completed')}, cost_micros = decided.cost
     FROM unnest($1::text[], $2::numeric[]) AS decided (id, cost)
     WHERE offsets.id = decided.id
     RETURNING ${COMPLETED_COLUMNS}`,
    [served.map(({ offset }) => offset), served.map(({ costMicros }) => costMicros)],
  );
}
