import type { Query } from '../persistence/database.js';
import type { Outcome } from './outcome.js';
import { RecoveryStopped } from './recovery-stopped.js';

/** What the database holds of an offset. */
interface KnownOffset {
  readonly id: string;
  readonly status: string;
  readonly failure_code: string | null;
}

interface KnownEntry {
  readonly offset_id: string;
  readonly asset_id: string;
  readonly sequence: string;
  readonly hash: string;
}

/**
 * Whether the database lacks one of these outcomes: its offset is unknown or unfinished.
 * @throws RecoveryStopped where an offset is finished otherwise than it was announced
 */
export async function lacksOutcome(query: Query, outcomes: readonly Outcome[]): Promise<boolean> {
  const ids = outcomes.map(({ data }) => data.id);
  const offsets = await query<KnownOffset>('SELECT id, status, failure_code FROM offsets WHERE id = ANY ($1)', [ids]);
  const entries = await query<KnownEntry>(
    `SELECT offset_id, asset_id, sequence, encode(hash, 'hex') AS hash FROM ledger WHERE offset_id = ANY ($1)`,
    [ids],
  );
  const offsetOf = new Map(offsets.map((row) => [row.id, row]));
  const entriesOf = Map.groupBy(entries, ({ offset_id }) => offset_id);
  return outcomes.some((outcome) =>
    lacks(outcome, offsetOf.get(outcome.data.id), entriesOf.get(outcome.data.id) ?? []),
  );
}

/** @throws RecoveryStopped */
function lacks(outcome: Outcome, offset: KnownOffset | undefined, entries: readonly KnownEntry[]): boolean {
  if (offset === undefined || !['completed', 'failed'].includes(offset.status)) return true;
  mustAgree(outcome, offset, entries);
  return false;
}

/** @throws RecoveryStopped where a finished offset differs from what was announced of it */
function mustAgree({ type, data }: Outcome, offset: KnownOffset, entries: readonly KnownEntry[]): void {
  if (type === 'offset.failed.v1') {
    if (offset.status !== 'failed' || offset.failure_code !== data.code)
      throw contradiction(offset, `failed (${data.code})`);
    return;
  }
  if (offset.status !== 'completed') throw contradiction(offset, 'completed');
  const written = new Map(entries.map(({ asset_id, sequence, hash }) => [`${asset_id} ${sequence}`, hash]));
  for (const { asset, sequence, hash } of data.retirements) {
    const found = written.get(`${asset} ${sequence}`);
    if (found !== hash) throw otherEntry({ offset: data.id, asset, sequence, hash }, found);
  }
  if (entries.length !== data.retirements.length)
    throw contradiction(offset, `completed with ${data.retirements.length} retirements, not ${entries.length}`);
}

function contradiction({ id, status, failure_code }: KnownOffset, announced: string): RecoveryStopped {
  const is = failure_code === null ? status : `${status} (${failure_code})`;
  return new RecoveryStopped(
    `Offset ${id} is ${is} in PostgreSQL, but was announced as ${announced}. Nothing of it is changed. Restore a database that ` +
      'holds what was announced, or one from before this offset was decided; see docs/restore.md.',
  );
}

/** The sentence for a ledger entry that is not as it was announced. */
export function otherEntry(
  line: { readonly offset: string; readonly asset: string; readonly sequence: string; readonly hash: string },
  found: string | undefined,
): RecoveryStopped {
  return new RecoveryStopped(
    `Entry ${line.sequence} of ${line.asset} was announced for offset ${line.offset} with the hash ${line.hash}, but the ` +
      `ledger has ${found === undefined ? 'no such entry' : `the hash ${found}`}. Nothing of it is changed. Restore a database from ` +
      'before this entry was written; see docs/restore.md.',
  );
}
