import type { Supply } from '../domain/inventory.js';
import type { ChainHead } from '../domain/ledger-chain.js';
import type { Preference } from '../domain/preference.js';
import type { Query } from '../persistence/database.js';
import { readHeads } from './ledger.js';

/** SQL: the rows of `supply` that credits may be retired from, used up or not. */
export const RETIRABLE = 'active AND price_micros IS NOT NULL AND published_issued IS NOT NULL';
/** SQL: those with credits left; the partial index `supply_available` has the same condition. */
export const AVAILABLE = `${RETIRABLE} AND NOT exhausted`;
const SUPPLY_COLUMNS = 'asset_id, issued - reserved - retired AS available, price_micros, rating';

/** Preferred assets that a batch locks first. */
export const INITIAL_ASSETS = 16;
/** The factor by which that number grows when the assets have too few credits. */
const GROWTH = 8;

interface SupplyRow {
  readonly asset_id: string;
  readonly available: string;
  readonly price_micros: string;
  readonly rating: number | null;
}

function toSupply({ asset_id, available, price_micros, rating }: SupplyRow): Supply {
  return {
    asset: asset_id,
    available: BigInt(available),
    priceMicros: BigInt(price_micros),
    rating: rating ?? undefined,
  };
}

/** SQL: these columns of the `$1` preferred assets with credits left. */
function selectPreferred(columns: string, { orderBy }: Preference): string {
  return `SELECT ${columns} FROM supply WHERE ${AVAILABLE} ORDER BY ${orderBy} LIMIT $1`;
}

/** Reads the `maxAssets` preferred assets with credits left, without a lock. */
export async function preferredSupply(query: Query, preference: Preference, maxAssets: number): Promise<Supply[]> {
  const rows = await query<SupplyRow>(selectPreferred(SUPPLY_COLUMNS, preference), [maxAssets]);
  return rows.map(toSupply);
}

/** The assets that a batch locks: the `maxAssets` preferred ones, and those that its estimates name. */
export interface SupplyChoice {
  readonly preference: Preference;
  readonly maxAssets: number;
  readonly estimateAssets: readonly string[];
}

/** Locks the chosen assets in the order of their ids, as every writer does, and reads them once they are locked. */
export async function lockSupply(
  query: Query,
  { preference, maxAssets, estimateAssets }: SupplyChoice,
): Promise<Supply[]> {
  const preferred = new Set((await preferredSupply(query, preference, maxAssets)).map(({ asset }) => asset));
  const rows = await query<SupplyRow>(
    `SELECT ${SUPPLY_COLUMNS} FROM supply WHERE asset_id = ANY ($1) AND ${RETIRABLE} ORDER BY asset_id FOR UPDATE`,
    [[...new Set([...preferred, ...estimateAssets])]],
  );
  return rows.map((row) => ({ ...toSupply(row), onlyForEstimates: !preferred.has(row.asset_id) }));
}

/** Locked assets with the heads of their chains, and the time of the transaction. */
export interface LockedSupply {
  readonly supplies: readonly Supply[];
  readonly heads: ReadonlyMap<string, ChainHead>;
  readonly at: Date;
}

/**
 * Locks the preferred assets as `lockSupply` does, unless one of these offsets is recorded or no asset has credits left: then returns
 * undefined and locks nothing. All in one round trip: the heads are read by a statement that starts once the assets are locked.
 */
export async function lockPreferred(
  query: Query,
  preference: Preference,
  offsets: readonly string[],
): Promise<LockedSupply | undefined> {
  const assets = selectPreferred('asset_id', preference);
  const [rows, heads] = await Promise.all([
    query<SupplyRow & { readonly at: Date }>(
      `SELECT ${SUPPLY_COLUMNS}, now()::timestamptz(3) AS at FROM supply
       WHERE asset_id = ANY (ARRAY(${assets})) AND ${RETIRABLE} AND NOT EXISTS (SELECT FROM offsets WHERE id = ANY ($2))
       ORDER BY asset_id FOR UPDATE`,
      [INITIAL_ASSETS, offsets],
    ),
    readHeads(query, `(${assets})`, [INITIAL_ASSETS]),
  ]);
  const [first] = rows;
  return first && { supplies: rows.map(toSupply), heads, at: first.at };
}

/**
 * Locks the rows of these assets, after it has inserted those that the supply lacks, inactive and without a price. For retirements
 * that are final although this database does not know their asset.
 */
export async function insertAndLockSupply(query: Query, assets: readonly string[]): Promise<void> {
  await query(
    `INSERT INTO supply (asset_id, type, active, issued, version, brought_in)
     SELECT id, CASE WHEN starts_with(id, 'proj_') THEN 'PROJECT' ELSE 'POOL' END, false, 0, 0, 0
     FROM unnest($1::text[]) AS asset (id) ORDER BY id ON CONFLICT (asset_id) DO NOTHING`,
    [assets],
  );
  await query('SELECT FROM supply WHERE asset_id = ANY ($1) ORDER BY asset_id FOR UPDATE', [assets]);
}

/** Returns whether an asset other than these has credits left now. */
export async function hasOtherSupply(query: Query, supplies: readonly Supply[]): Promise<boolean> {
  const [row] = await query<{ other: boolean }>(
    `SELECT EXISTS (SELECT FROM supply WHERE ${AVAILABLE} AND asset_id <> ALL ($1)) AS other`,
    [supplies.map(({ asset }) => asset)],
  );
  return row?.other === true;
}

/** Returns whether an asset other than these, but preferred to the last of them, has credits left now. */
export async function hasPreferredSupply(
  query: Query,
  preference: Preference,
  supplies: readonly Supply[],
): Promise<boolean> {
  const last = [...supplies].sort(preference.compare).at(-1);
  if (last === undefined) return false;
  const known = new Set(supplies.map(({ asset }) => asset));
  const now = await preferredSupply(query, preference, supplies.length);
  return now.some((supply) => !known.has(supply.asset) && preference.compare(supply, last) < 0);
}

/** Reads one asset, without a lock; undefined when credits may not be retired from it. */
export async function supplyOf(query: Query, asset: string): Promise<Supply | undefined> {
  const [row] = await query<SupplyRow>(`SELECT ${SUPPLY_COLUMNS} FROM supply WHERE asset_id = $1 AND ${RETIRABLE}`, [
    asset,
  ]);
  return row && toSupply(row);
}

/** Repeats the attempt with more of the preferred assets until they have enough credits. */
export async function withMoreAssets<T>(attempt: (maxAssets: number) => Promise<T | 'too few assets'>): Promise<T> {
  for (let maxAssets = INITIAL_ASSETS; ; maxAssets *= GROWTH) {
    const outcome = await attempt(maxAssets);
    if (outcome !== 'too few assets') return outcome;
  }
}
