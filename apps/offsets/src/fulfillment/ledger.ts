import { type ChainHead, chain, chainStart, type LedgerEntry } from '../domain/ledger-chain.js';
import { gramsByAsset, type OffsetLine } from '../domain/line.js';
import type { Query } from '../persistence/database.js';

/** An external registry's names for retirements, by offset. */
export type References = ReadonlyMap<string, string | undefined>;

/** What is appended to the ledger in one transaction. */
export interface Retirements {
  readonly lines: readonly OffsetLine[];
  readonly at: Date;
  /** Whether the lines were counted as reserved before. */
  readonly areReserved: boolean;
  readonly references?: References | undefined;
  /** Heads that were read after the assets had been locked; those of other assets are read now. */
  readonly heads?: ReadonlyMap<string, ChainHead> | undefined;
}

/** The new entries, while they are being written. */
export interface AppendedEntries {
  readonly entries: readonly LedgerEntry[];
  /** Must be awaited before the commit. */
  readonly written: Promise<unknown>;
}

/**
 * Appends lines to the chains of their assets and counts them as retired. The rows of those assets in `supply` must be locked
 * until the end of the transaction, so that each chain has one writer.
 */
export async function appendToLedger(query: Query, retirements: Retirements): Promise<AppendedEntries> {
  const { lines, at, areReserved, references = new Map() } = retirements;
  const heads = new Map(retirements.heads);
  const unread = [...new Set(lines.map(({ asset }) => asset))].filter((asset) => !heads.has(asset));
  if (unread.length > 0) for (const [asset, head] of await headsOf(query, unread)) heads.set(asset, head);
  const entries = lines.map((line) => {
    const entry = chain(heads.get(line.asset) ?? chainStart(line.asset), { ...line, at: at.toISOString() });
    heads.set(line.asset, entry);
    return entry;
  });
  return {
    entries,
    written: Promise.all([append(query, entries, references), raiseRetired(query, entries, areReserved)]),
  };
}

/**
 * Reads the head of each chain: its last entry or its last gap, because a sequence in a gap must not be used again. The assets
 * must be locked, or another entry may follow the head that is read.
 */
export function headsOf(query: Query, assets: readonly string[]): Promise<Map<string, ChainHead>> {
  return readHeads(query, 'unnest($1::text[])', [assets]);
}

/** As `headsOf`, for the assets that a table expression returns. */
export async function readHeads(
  query: Query,
  assets: string,
  parameters: readonly unknown[],
): Promise<Map<string, ChainHead>> {
  const rows = await query<{ asset_id: string; sequence: string; hash: Buffer }>(
    `SELECT head.* FROM ${assets} AS asset (id)
     CROSS JOIN LATERAL (
       (SELECT asset_id, sequence, hash FROM ledger WHERE asset_id = asset.id ORDER BY sequence DESC LIMIT 1)
       UNION ALL
       (SELECT asset_id, last_sequence, last_hash FROM ledger_gaps WHERE asset_id = asset.id
        ORDER BY last_sequence DESC LIMIT 1)
     ) AS head`,
    parameters,
  );
  const heads = new Map<string, ChainHead>();
  for (const { asset_id, sequence, hash } of rows) {
    const head = { sequence: BigInt(sequence), hash };
    if (head.sequence > (heads.get(asset_id)?.sequence ?? 0n)) heads.set(asset_id, head);
  }
  return heads;
}

/** The reference is stored with the entry but is not part of its hash: it comes from the registry, the entry from us. */
async function append(query: Query, entries: readonly LedgerEntry[], references: References): Promise<void> {
  await query(
    `INSERT INTO ledger (asset_id, sequence, offset_id, grams, price_micros, at, hash, registry_reference)
     SELECT asset_id, sequence, offset_id, grams, price_micros, at, decode(hash, 'hex'), reference FROM unnest(
       $1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::timestamptz[], $7::text[], $8::text[]
     ) AS entry (asset_id, sequence, offset_id, grams, price_micros, at, hash, reference)`,
    [
      entries.map(({ asset }) => asset),
      entries.map(({ sequence }) => sequence),
      entries.map(({ offset }) => offset),
      entries.map(({ grams }) => grams),
      entries.map(({ priceMicros }) => priceMicros),
      entries.map(({ at }) => at),
      entries.map(({ hash }) => hash.toString('hex')),
      entries.map(({ offset }) => references.get(offset)),
    ],
  );
}

/** The constraint `supply_not_oversold` refuses to retire what is not there. */
async function raiseRetired(query: Query, entries: readonly LedgerEntry[], areReserved: boolean): Promise<void> {
  const sums = gramsByAsset(entries);
  const rows = await query(
    `UPDATE supply SET ${areReserved ? 'reserved = reserved - newly_retired.grams, ' : ''}retired = retired + newly_retired.grams
     FROM unnest($1::text[], $2::bigint[]) AS newly_retired (asset_id, grams) WHERE supply.asset_id = newly_retired.asset_id
     RETURNING supply.asset_id`,
    [[...sums.keys()], [...sums.values()]],
  );
  if (rows.length !== sums.size) throw new Error('Credits were retired from an unknown asset.');
}
