import { type Asset, gramsFromCredits, microsFromUsd } from '@carbon/contracts';
import type { Batch, Message } from '@carbon/messaging';
import { splitIfTooLarge } from '../persistence/batch-size.js';
import type { Database, Query } from '../persistence/database.js';
import { fenceHolds } from '../persistence/fence.js';
import type { SupplyRebuild } from './supply-rebuild.js';

/** The number of assets that one transaction checks. */
const WITHDRAW_BATCH_SIZE = 10_000;

/** True for a row of a deleted topic: its version cannot be compared with those of the current topic. */
const IS_OF_DELETED_TOPIC = 'supply.brought_in < (SELECT versions_from FROM supply_reading)';

/**
 * Another rebuild is the latest, so this one must write nothing: its topic may be deleted, and its versions would block
 * all newer ones; or the database is an older copy, which lacks the assets that this one has brought.
 */
export class RebuildSuperseded extends Error {}

/** The last message about an asset in a batch. */
interface AssetChange {
  readonly id: string;
  /** The message's position + 1. */
  readonly version: bigint;
  /** Null: withdrawn. */
  readonly asset: Asset | null;
}

/**
 * Records assets as published or withdrawn.
 * @throws RebuildSuperseded, and writes nothing, when a later rebuild has begun; FenceLost
 */
export async function recordSupply(
  database: Database,
  rebuild: SupplyRebuild,
  { messages }: Batch<Asset>,
): Promise<void> {
  await splitIfTooLarge(messages, (some) =>
    database.transaction((query) => recordChanges(query, rebuild, changesOf(some))),
  );
}

/** In the order of the ids, so that two writers cannot deadlock. */
function changesOf(messages: readonly Message<Asset>[]): AssetChange[] {
  const latest = new Map(messages.map((message) => [message.key, message]));
  return [...latest.values()]
    .map(({ key, value, position }) => ({ id: key, version: position + 1n, asset: value }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function recordChanges(query: Query, rebuild: SupplyRebuild, changes: readonly AssetChange[]): Promise<void> {
  const ids = changes.map(({ id }) => id);
  await lockRebuild(query, rebuild);
  await query('SELECT FROM supply WHERE asset_id = ANY ($1) ORDER BY asset_id FOR UPDATE', [ids]);
  await publish(query, rebuild, changes);
  await withdraw(query, changes);
  await query('UPDATE supply SET brought_in = $2 WHERE asset_id = ANY ($1) AND brought_in < $2', [ids, rebuild.number]);
}

/** Checks that the database is the verified one, and keeps other rebuilds from beginning until the transaction ends. */
async function lockRebuild(query: Query, { number }: SupplyRebuild): Promise<void> {
  const verified = await query(`SELECT FROM database_state WHERE ${fenceHolds(1)}`, query.fence.parameters);
  if (verified.length === 0) throw query.fence.lose();
  const current = await query('SELECT number FROM supply_reading WHERE number = $1 FOR SHARE', [number]);
  if (current.length === 0) throw new RebuildSuperseded(`Rebuild ${number} of the supply is no longer the latest.`);
}

/**
 * Refuses older versions. Accepts the same version from a later rebuild, because the asset may have been withdrawn in
 * between. `issued` never falls below what is reserved or retired.
 */
async function publish(query: Query, { number }: SupplyRebuild, changes: readonly AssetChange[]): Promise<void> {
  const published = changes.flatMap(({ version, asset }) => (asset === null ? [] : [{ version, asset }]));
  if (published.length === 0) return;
  const column = <T>(of: (asset: Asset) => T) => published.map(({ asset }) => of(asset));
  await query(
    `INSERT INTO supply
       (asset_id, type, active, price_micros, rating, ticker, address, vintages, published_issued, issued, version, brought_in)
     SELECT asset_id, type, active, price_micros, rating, ticker, address, vintages::integer[], issued, coalesce(issued, 0),
       version, $11
     FROM unnest($1::text[], $2::text[], $3::boolean[], $4::bigint[], $5::double precision[], $6::text[], $7::text[],
       $8::text[], $9::bigint[], $10::bigint[])
       AS published (asset_id, type, active, price_micros, rating, ticker, address, vintages, issued, version)
     ORDER BY asset_id
     ON CONFLICT (asset_id) DO UPDATE SET
       type = excluded.type, active = excluded.active, price_micros = excluded.price_micros, rating = excluded.rating,
       ticker = excluded.ticker, address = excluded.address, vintages = excluded.vintages, published_issued = excluded.published_issued,
       issued = greatest(excluded.issued, supply.reserved + supply.retired), version = excluded.version
     WHERE supply.version < excluded.version OR ${IS_OF_DELETED_TOPIC}
       OR (supply.version = excluded.version AND supply.brought_in < excluded.brought_in)`,
    [
      column(({ id }) => id),
      column(({ type }) => type),
      column(({ active }) => active === true),
      column(({ price }) => (price === undefined ? undefined : microsFromUsd(price))),
      column(({ rating }) => rating),
      column(({ ticker }) => ticker),
      column(({ address }) => address),
      // Arrays of different lengths cannot be elements of one array.
      column(({ vintages }) => vintages && `{${vintages.join(',')}}`),
      column(({ issued }) => (issued === undefined ? undefined : gramsFromCredits(issued))),
      published.map(({ version }) => version),
      number,
    ],
  );
}

/** Keeps the rows, for receipts and for what is still reserved. */
async function withdraw(query: Query, changes: readonly AssetChange[]): Promise<void> {
  const withdrawn = changes.filter(({ asset }) => asset === null);
  if (withdrawn.length === 0) return;
  await query(
    `UPDATE supply SET active = false, version = withdrawn.version
     FROM unnest($1::text[], $2::bigint[]) AS withdrawn (asset_id, version)
     WHERE supply.asset_id = withdrawn.asset_id AND (supply.version < withdrawn.version OR ${IS_OF_DELETED_TOPIC})`,
    [withdrawn.map(({ id }) => id), withdrawn.map(({ version }) => version)],
  );
}

/** Returns whether an active asset of a deleted topic was not published on the current one yet. */
export async function hasSupplyOfDeletedTopic(query: Query): Promise<boolean> {
  return (await query(`SELECT FROM supply WHERE active AND ${IS_OF_DELETED_TOPIC} LIMIT 1`)).length > 0;
}

/**
 * Withdraws every asset that a complete rebuild did not bring: its withdrawal may be too old to be on the topic.
 * Changes nothing if it has run to its end for this rebuild before.
 * @throws RebuildSuperseded, FenceLost
 */
export async function withdrawMissing(database: Database, rebuild: SupplyRebuild): Promise<void> {
  let last: string | null = '';
  while (last !== null) {
    const after: string = last;
    last = await database.transaction((query) => withdrawNextMissing(query, rebuild, after));
  }
}

/** Returns the last asset of the batch; null when there was none. */
async function withdrawNextMissing(query: Query, rebuild: SupplyRebuild, after: string): Promise<string | null> {
  await lockRebuild(query, rebuild);
  const [batch] = await query<{ last: string | null }>(
    `SELECT max(asset_id) AS last FROM (
       SELECT asset_id FROM supply WHERE asset_id > $1 ORDER BY asset_id LIMIT ${WITHDRAW_BATCH_SIZE}
     ) AS batch`,
    [after],
  );
  const last = batch?.last ?? null;
  const missing = 'asset_id > $1 AND asset_id <= $2 AND brought_in < $3 AND active';
  await query(`SELECT FROM supply WHERE ${missing} ORDER BY asset_id FOR UPDATE`, [after, last, rebuild.number]);
  await query(`UPDATE supply SET active = false WHERE ${missing}`, [after, last, rebuild.number]);
  return last;
}
