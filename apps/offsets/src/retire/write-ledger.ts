import { type ChainHead, chain, chainStart, type LedgerEntry } from '../domain/ledger-chain.js';
import type { Query } from '../persistence/database.js';

/** An offset whose reservation becomes a retirement, when, and how an external registry knows it. */
interface Retiring {
  readonly id: string;
  readonly at: Date;
  readonly reference: string | undefined;
}

interface ReservedRow {
  readonly offset_id: string;
  readonly asset_id: string;
  readonly grams: string;
  readonly price_micros: string;
}

/**
 * Turns the reservations of these offsets into ledger entries: reserved becomes retired, gram for gram. The assets' rows
 * in `supply` stay locked to the end of the transaction, so that each chain has one writer.
 */
export async function writeLedger(query: Query, offsets: readonly Retiring[]): Promise<LedgerEntry[]> {
  const reserved = await query<ReservedRow>('DELETE FROM reservations WHERE offset_id = ANY ($1) RETURNING *', [
    offsets.map(({ id }) => id),
  ]);
  const assets = [...new Set(reserved.map(({ asset_id }) => asset_id))];
  await query('SELECT FROM supply WHERE asset_id = ANY ($1) ORDER BY asset_id FOR UPDATE', [assets]);
  const entries = link(await headsOf(query, assets), reserved, offsets);
  await append(query, entries, new Map(offsets.map(({ id, reference }) => [id, reference])));
  await moveToRetired(query, entries);
  return entries;
}

/** Read only after the assets are locked: a head read before could have been followed by another entry since. */
async function headsOf(query: Query, assets: readonly string[]): Promise<Map<string, ChainHead>> {
  const rows = await query<{ asset_id: string; sequence: string; hash: Buffer }>(
    `SELECT head.* FROM unnest($1::text[]) AS asset (id)
     CROSS JOIN LATERAL (
       SELECT asset_id, sequence, hash FROM ledger WHERE asset_id = asset.id ORDER BY sequence DESC LIMIT 1
     ) AS head`,
    [assets],
  );
  return new Map(rows.map(({ asset_id, sequence, hash }) => [asset_id, { sequence: BigInt(sequence), hash }]));
}

function link(
  heads: Map<string, ChainHead>,
  reserved: readonly ReservedRow[],
  offsets: readonly Retiring[],
): LedgerEntry[] {
  const times = new Map(offsets.map(({ id, at }) => [id, at.toISOString()]));
  return reserved.map(({ offset_id: offset, asset_id: asset, grams, price_micros }) => {
    const at = times.get(offset) ?? '';
    const retirement = { asset, offset, grams: BigInt(grams), priceMicros: BigInt(price_micros), at };
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

async function moveToRetired(query: Query, entries: readonly LedgerEntry[]): Promise<void> {
  const sums = new Map<string, bigint>();
  for (const { asset, grams } of entries) sums.set(asset, (sums.get(asset) ?? 0n) + grams);
  const rows = await query(
    `UPDATE supply SET reserved = reserved - gone.grams, retired = retired + gone.grams
     FROM unnest($1::text[], $2::bigint[]) AS gone (asset_id, grams) WHERE supply.asset_id = gone.asset_id
     RETURNING supply.asset_id`,
    [[...sums.keys()], [...sums.values()]],
  );
  if (rows.length !== sums.size) throw new Error('Credits were retired from an asset that the supply does not know.');
}
