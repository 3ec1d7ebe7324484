import { headsOf } from '../fulfillment/ledger.js';
import { insertAndLockSupply } from '../fulfillment/supply-rows.js';
import type { Query } from '../persistence/database.js';
import { type Continuation, continueChains, entryKey, type PublishedLine } from './continue-chains.js';

/** Lines that one transaction applies. */
const BATCH_LINES = 1_000;

/** A place in the order of the staged lines: the ledger has everything up to it. */
export type LinePlace = readonly [asset: string, sequence: string, offset: string];
/** Before the first line. */
export const FIRST_LINE: LinePlace = ['', '0', ''];

interface StagedRow {
  readonly asset_id: string;
  readonly sequence: string;
  readonly offset_id: string;
  readonly grams: string;
  readonly price_micros: string;
  readonly at: Date;
  readonly hash: Buffer;
  readonly previous_hash: Buffer | null;
}

/**
 * Adds the next staged lines to the ledger, unless they are there, and to `retired`. Returns the last place; undefined
 * when there are no more. @throws RecoveryStopped
 */
export async function applyLines(query: Query, after: LinePlace): Promise<LinePlace | undefined> {
  const rows = await query<StagedRow>(
    `SELECT * FROM recovered_lines WHERE (asset_id, sequence, offset_id) > ($1, $2::bigint, $3)
     ORDER BY asset_id, sequence, offset_id LIMIT ${BATCH_LINES}`,
    [...after],
  );
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  const lines = rows.map(lineOf);
  const assets = [...new Set(lines.map(({ asset }) => asset))];
  await insertAndLockSupply(query, assets);
  const { lines: added, gaps } = continueChains(lines, await headsOf(query, assets), await writtenOf(query, lines));
  await insertGaps(query, gaps);
  await insertEntries(query, added);
  await addRetired(query, added);
  return [last.asset_id, last.sequence, last.offset_id];
}

function lineOf(row: StagedRow): PublishedLine {
  return {
    asset: row.asset_id,
    sequence: BigInt(row.sequence),
    offset: row.offset_id,
    grams: BigInt(row.grams),
    priceMicros: BigInt(row.price_micros),
    at: row.at.toISOString(),
    hash: row.hash,
    previousHash: row.previous_hash ?? undefined,
  };
}

async function writtenOf(query: Query, lines: readonly PublishedLine[]): Promise<Map<string, Buffer>> {
  const rows = await query<{ asset: string; sequence: string; offset: string; hash: Buffer }>(
    `SELECT ledger.asset_id AS asset, ledger.sequence, ledger.offset_id AS "offset", ledger.hash
     FROM unnest($1::text[], $2::bigint[]) AS line (asset_id, sequence) JOIN ledger USING (asset_id, sequence)`,
    [lines.map(({ asset }) => asset), lines.map(({ sequence }) => sequence)],
  );
  return new Map(rows.map((row) => [entryKey({ ...row, sequence: BigInt(row.sequence) }), row.hash]));
}

async function insertGaps(query: Query, gaps: Continuation['gaps']): Promise<void> {
  await query(
    `INSERT INTO ledger_gaps (asset_id, first_sequence, last_sequence, last_hash)
     SELECT asset_id, first, last, decode(hash, 'hex')
     FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[]) AS gap (asset_id, first, last, hash)`,
    [
      gaps.map(({ asset }) => asset),
      gaps.map(({ first }) => first),
      gaps.map(({ last }) => last),
      gaps.map(({ lastHash }) => lastHash.toString('hex')),
    ],
  );
}

async function insertEntries(query: Query, lines: readonly PublishedLine[]): Promise<void> {
  await query(
    `INSERT INTO ledger (asset_id, sequence, offset_id, grams, price_micros, at, hash, registry_reference)
     SELECT asset_id, sequence, offset_id, grams, price_micros, at, hash, registry_reference
     FROM unnest($1::text[], $2::bigint[], $3::text[]) AS added (asset_id, sequence, offset_id)
     JOIN recovered_lines USING (asset_id, sequence, offset_id)`,
    [lines.map(({ asset }) => asset), lines.map(({ sequence }) => sequence), lines.map(({ offset }) => offset)],
  );
}

async function addRetired(query: Query, lines: readonly PublishedLine[]): Promise<void> {
  await query(
    `UPDATE supply SET retired = retired + added.grams,
       issued = greatest(published_issued, reserved + retired + added.grams)
     FROM (
       SELECT asset_id, sum(grams)::bigint AS grams FROM unnest($1::text[], $2::bigint[]) AS line (asset_id, grams)
       GROUP BY asset_id
     ) AS added
     WHERE supply.asset_id = added.asset_id`,
    [lines.map(({ asset }) => asset), lines.map(({ grams }) => grams)],
  );
}
