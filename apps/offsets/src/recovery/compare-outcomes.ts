import type { Query } from '../persistence/database.js';
import type { Outcome } from './outcomes.js';
import { RecoveryStopped } from './process-exit.js';

/** What was published of an offset. */
export interface PublishedOutcome {
  readonly id: string;
  readonly type: Outcome['type'];
  /** The failure code. */
  readonly code?: string | null;
}

interface FinalOffset {
  readonly id: string;
  readonly status: 'completed' | 'failed';
  readonly failure_code: string | null;
}

/**
 * Whether the database lacks one of these outcomes: its offset is unknown or not final.
 * @throws RecoveryStopped where a final offset or its ledger entries differ from what was published
 */
export async function lacksOutcome(query: Query, outcomes: readonly Outcome[]): Promise<boolean> {
  const final = await requireAgreement(query, outcomes.map(publishedOutcome));
  const entries = await query<{ offset_id: string; asset_id: string; sequence: string; hash: string }>(
    `SELECT offset_id, asset_id, sequence, encode(hash, 'hex') AS hash FROM ledger WHERE offset_id = ANY ($1)`,
    [[...final]],
  );
  const entriesOf = Map.groupBy(entries, ({ offset_id }) => offset_id);
  for (const { type, data } of outcomes) {
    if (type !== 'offset.completed.v1' || !final.has(data.id)) continue;
    const own = entriesOf.get(data.id) ?? [];
    const hashes = new Map(own.map(({ asset_id, sequence, hash }) => [`${asset_id} ${sequence}`, hash]));
    for (const { asset, sequence, hash } of data.retirements) {
      const found = hashes.get(`${asset} ${sequence}`);
      if (found !== hash) throw entryDiffers({ offset: data.id, asset, sequence, hash }, found);
    }
    const published = data.retirements.length;
    if (own.length !== published)
      throw contradiction(data.id, `completed with ${own.length} retirements`, `completed with ${published}`);
  }
  return outcomes.some(({ data }) => !final.has(data.id));
}

/** Returns what {@link requireAgreement} compares. */
export function publishedOutcome({ type, data }: Outcome): PublishedOutcome {
  return { id: data.id, type, code: 'code' in data ? data.code : null };
}

/**
 * Returns the ids of these offsets that are final. @throws RecoveryStopped where one is final with another outcome than
 * was published
 */
export async function requireAgreement(
  query: Query,
  outcomes: readonly PublishedOutcome[],
): Promise<ReadonlySet<string>> {
  const rows = await query<FinalOffset>(
    `SELECT id, status, failure_code FROM offsets WHERE id = ANY ($1) AND status IN ('completed', 'failed')`,
    [outcomes.map(({ id }) => id)],
  );
  const final = new Map(rows.map((row) => [row.id, row]));
  for (const { id, type, code = null } of outcomes) {
    const row = final.get(id);
    if (row === undefined || (type === `offset.${row.status}.v1` && row.failure_code === code)) continue;
    const published = type === 'offset.completed.v1' ? 'completed' : 'failed';
    throw contradiction(id, describeOutcome(row.status, row.failure_code), describeOutcome(published, code));
  }
  return new Set(final.keys());
}

function describeOutcome(status: string, code: string | null): string {
  return code === null ? status : `${status} (${code})`;
}

function contradiction(id: string, stored: string, published: string): RecoveryStopped {
  return new RecoveryStopped(
    `Offset ${id} is ${stored} in PostgreSQL, but was published as ${published}. Nothing of it is changed. Restore a database that ` +
      'holds what was published, or one from before this offset was decided; see docs/restore.md.',
  );
}

/** Returns the error for a ledger entry that differs from what was published. */
export function entryDiffers(
  line: { readonly offset: string; readonly asset: string; readonly sequence: string; readonly hash: string },
  found: string | undefined,
): RecoveryStopped {
  return new RecoveryStopped(
    `Entry ${line.sequence} of ${line.asset} was published for offset ${line.offset} with the hash ${line.hash}, but the ` +
      `ledger has ${found === undefined ? 'no such entry' : `the hash ${found}`}. Nothing of it is changed. Restore a database from ` +
      'before this entry was written; see docs/restore.md.',
  );
}
