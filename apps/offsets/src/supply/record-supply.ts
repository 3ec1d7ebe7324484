import type { Asset } from '@carbon/contracts';
import type { Batch, RejectedMessage } from '@carbon/messaging';
import { inHalves } from '../persistence/batch-size.js';
import type { Database, Query } from '../persistence/database.js';
import { fenceHolds } from '../persistence/fence.js';
import type { Reading } from './reading.js';
import { changesOf, type SupplyChange, type SupplyFacts, straysOf } from './supply-change.js';

type Publication = SupplyChange & { readonly facts: SupplyFacts };

/** What an asset has of a topic that is gone: its version says nothing about this one's. */
const BEFORE_ITS_TOPIC = 'supply.brought_in < (SELECT versions_from FROM supply_reading)';

/**
 * Another reading of the topic has begun, so nothing may be written any more for the one that is followed here: it may be
 * of a topic that is gone, whose versions would keep out everything newer.
 */
export class ReadingSuperseded extends Error {}

/**
 * Keeps the supply as the library says. Gives what it cannot take. Throws ReadingSuperseded, and writes nothing, when a later
 * reading has begun.
 */
export async function recordSupply(
  database: Database,
  reading: Reading,
  { messages }: Batch<Asset>,
): Promise<RejectedMessage[]> {
  await inHalves(messages, (some) => recordSome(database, reading, some));
  return straysOf(messages);
}

async function recordSome(database: Database, reading: Reading, messages: Batch<Asset>['messages']): Promise<void> {
  const changes = changesOf(messages);
  const assets = changes.map(({ asset }) => asset);
  await database.transaction(async (query) => {
    await holdReading(query, reading);
    await query('SELECT FROM supply WHERE asset_id = ANY ($1) ORDER BY asset_id FOR UPDATE', [assets]);
    await publish(
      query,
      reading,
      changes.filter((change): change is Publication => change.facts !== undefined),
    );
    await withdraw(
      query,
      changes.filter(({ facts }) => facts === undefined),
    );
    await query('UPDATE supply SET brought_in = $2 WHERE asset_id = ANY ($1) AND brought_in < $2', [
      assets,
      reading.number,
    ]);
  });
}

/** No other reading begins before this transaction has ended, and the database is the one that was verified. */
async function holdReading(query: Query, { number }: Reading): Promise<void> {
  const verified = await query(`SELECT FROM database_state WHERE ${fenceHolds(1)}`, query.fence.parameters);
  if (verified.length === 0) throw query.fence.lose();
  const held = await query('SELECT number FROM supply_reading WHERE number = $1 FOR SHARE', [number]);
  if (held.length === 0)
    throw new ReadingSuperseded(`Reading ${number} of the asset topic is not the last one any more.`);
}

/**
 * Older versions are refused; the same one is taken again when a later reading brings it, for it may have been withdrawn
 * in between. What is reserved or retired already stays, so `issued` never sinks below it.
 */
async function publish(query: Query, { number }: Reading, publications: readonly Publication[]): Promise<void> {
  if (publications.length === 0) return;
  const column = <T>(of: (publication: Publication) => T) => publications.map(of);
  await query(
    `INSERT INTO supply
       (asset_id, type, active, price_micros, rating, ticker, address, published_issued, issued, version, brought_in)
     SELECT asset_id, type, active, price_micros, rating, ticker, address, issued, coalesce(issued, 0), version, $10
     FROM unnest($1::text[], $2::text[], $3::boolean[], $4::bigint[], $5::double precision[], $6::text[], $7::text[],
       $8::bigint[], $9::bigint[])
       AS published (asset_id, type, active, price_micros, rating, ticker, address, issued, version)
     ORDER BY asset_id
     ON CONFLICT (asset_id) DO UPDATE SET
       type = excluded.type, active = excluded.active, price_micros = excluded.price_micros, rating = excluded.rating,
       ticker = excluded.ticker, address = excluded.address, published_issued = excluded.published_issued,
       issued = greatest(excluded.issued, supply.reserved + supply.retired), version = excluded.version
     WHERE supply.version < excluded.version OR ${BEFORE_ITS_TOPIC}
       OR (supply.version = excluded.version AND supply.brought_in < excluded.brought_in)`,
    [
      column(({ asset }) => asset),
      column(({ facts }) => facts.type),
      column(({ facts }) => facts.active),
      column(({ facts }) => facts.priceMicros),
      column(({ facts }) => facts.rating),
      column(({ facts }) => facts.ticker),
      column(({ facts }) => facts.address),
      column(({ facts }) => facts.issued),
      column(({ version }) => version),
      number,
    ],
  );
}

/** The row stays, for receipts and for what is still reserved. */
async function withdraw(query: Query, withdrawals: readonly SupplyChange[]): Promise<void> {
  if (withdrawals.length === 0) return;
  await query(
    `UPDATE supply SET active = false, version = withdrawn.version
     FROM unnest($1::text[], $2::bigint[]) AS withdrawn (asset_id, version)
     WHERE supply.asset_id = withdrawn.asset_id AND (supply.version < withdrawn.version OR ${BEFORE_ITS_TOPIC})`,
    [withdrawals.map(({ asset }) => asset), withdrawals.map(({ version }) => version)],
  );
}
