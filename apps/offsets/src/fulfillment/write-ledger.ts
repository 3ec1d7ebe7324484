import { type ChainHead, chain, chainStart, type LedgerEntry } from '../domain/ledger-chain.js';
import type { Query } from '../persistence/database.js';

/** Grams of one asset that are retired for an offset. */
export interface RetiredLine {
  readonly offset: string;
  readonly asset: string;
  readonly grams: bigint;
  readonly priceMicros: bigint;
}

/** An offset that is retired, when, and how an external registry knows it. */
export interface Retiring {
  readonly id: string;
  readonly at: Date;
  readonly reference?: string | undefined;
}

/**
 * Appends these lines to the chains of their assets, and counts them as retired; `reserved` says whether they were counted as
 * reserved before. The rows of those assets in `supply` must be locked, to the end of the transaction, so that each chain has
 * one writer.
 */
export async function writeLedger(
  query: Query,
  offsets: readonly Retiring[],
  lines: readonly RetiredLine[],
  { reserved }: { readonly reserved: boolean },
): Promise<LedgerEntry[]> {
  const assets = [...new Set(lines.map(({ asset }) => asset))];
  const entries = link(await headsOf(query, assets), lines, offsets);
  await append(query, entries, new Map(offsets.map(({ id, reference }) => [id, reference])));
  await raiseRetired(query, entries, reserved);
  return entries;
}

/**
 * The head of each chain: its last entry or its last gap, because a sequence in a gap must not be used again. Read only after
 * the assets are locked: a head read before could have been followed by another entry since.
 */
export async function headsOf(query: Query, assets: readonly string[]): Promise<Map<string, ChainHead>> {
  const rows = await query<{ asset_id: string; sequence: string; hash: Buffer }>(
    `SELECT head.* FROM unnest($1::text[]) AS asset (id)
     CROSS JOIN LATERAL (
       (SELECT asset_id, sequence, hash FROM ledger WHERE asset_id = asset.id ORDER BY sequence DESC LIMIT 1)
       UNION ALL
       (SELECT asset_id, last_sequence, last_hash FROM ledger_gaps WHERE asset_id = asset.id
        ORDER BY last_sequence DESC LIMIT 1)
     ) AS head`,
    [assets],
  );
  const heads = new Map<string, ChainHead>();
  for (const { asset_id, sequence, hash } of rows) {
    const head = { sequence: BigInt(sequence), hash };
    if (head.sequence > (heads.get(asset_id)?.sequence ?? 0n)) heads.set(asset_id, head);
  }
  return heads;
}

function link(
  heads: Map<string, ChainHead>,
  lines: readonly RetiredLine[],
  offsets: readonly Retiring[],
): LedgerEntry[] {
  const times = new Map(offsets.map(({ id, at }) => [id, at.toISOString()]));
  return lines.map(({ offset, asset, grams, priceMicros }) => {
    const retirement = { asset, offset, grams, priceMicros, at: times.get(offset) ?? '' };
    const entry = chain(heads.get(asset) ?? chainStart(asset), retirement);
    heads.set(asset, entry);
    return entry;
  });
}

/** The reference stands beside the entry and not in its hash: it is the registry's word, the entry is ours. */
async function append(
  query: Query,
  entries: readonly LedgerEntry[],
  references: ReadonlyMap<string, string | undefined>,
): Promise<void> {
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

/** The constraint `supply_not_oversold` would refuse what is not there. */
async function raiseRetired(query: Query, entries: readonly LedgerEntry[], reserved: boolean): Promise<void> {
  const sums = new Map<string, bigint>();
  for (const { asset, grams } of entries) sums.set(asset, (sums.get(asset) ?? 0n) + grams);
  const rows = await query(
    `UPDATE supply SET ${reserved ? 'reserved = reserved - gone.grams, ' : ''}retired = retired + gone.grams
     FROM unnest($1::text[], $2::bigint[]) AS gone (asset_id, grams) WHERE supply.asset_id = gone.asset_id
     RETURNING supply.asset_id`,
    [[...sums.keys()], [...sums.values()]],
  );
  if (rows.length !== sums.size) throw new Error('Credits were retired from an asset that the supply does not know.');
}
