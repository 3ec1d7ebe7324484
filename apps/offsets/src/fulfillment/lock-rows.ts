import type { Preference } from '../domain/preference.js';
import type { Supply } from '../domain/shelf.js';
import type { Query } from '../persistence/database.js';
import { preferredSupply, RETIRABLE, SUPPLY_COLUMNS, type SupplyRow, toSupply } from './preferred-supply.js';

/** The most offsets decided in one transaction: the more, the less the statements cost each of them. */
export const BATCH = 1_000;

/** A queued offset as it is in hand. */
export interface Queued {
  readonly offset: string;
  readonly grams: bigint;
  readonly estimateId: string | undefined;
}

interface QueuedRow {
  readonly id: string;
  readonly grams: string;
  readonly estimate_id: string | null;
}

/**
 * The `most` oldest queued offsets that no other worker has in hand; nobody else can take them before this transaction ends.
 */
export async function lockQueued(query: Query, most: number): Promise<Queued[]> {
  const rows = await query<QueuedRow>(
    `SELECT id, grams, estimate_id FROM offsets WHERE status = 'queued'
     ORDER BY created_at, id LIMIT $1 FOR UPDATE SKIP LOCKED`,
    [most],
  );
  return rows.map(toQueued);
}

/** So many more of those that name no estimate, beside the ones in hand, which this transaction would be given again. */
export async function lockPlain(query: Query, inHand: readonly Queued[], count: number): Promise<Queued[]> {
  const rows = await query<QueuedRow>(
    `SELECT id, grams, estimate_id FROM offsets
     WHERE status = 'queued' AND estimate_id IS NULL AND id <> ALL ($1)
     ORDER BY created_at, id LIMIT $2 FOR UPDATE SKIP LOCKED`,
    [inHand.map(({ offset }) => offset), count],
  );
  return rows.map(toQueued);
}

function toQueued({ id, grams, estimate_id }: QueuedRow): Queued {
  return { offset: id, grams: BigInt(grams), estimateId: estimate_id ?? undefined };
}

/** Which assets a batch looks at: the `width` preferred ones, and those that estimates in it name. */
export interface SupplyChoice {
  readonly preference: Preference;
  readonly width: number;
  readonly promised: readonly string[];
}

/**
 * Locks the `width` preferred assets that have something left and the promised ones, in the order of their ids as everyone
 * does, and reads them as they are once locked.
 */
export async function lockSupply(query: Query, { preference, width, promised }: SupplyChoice): Promise<Supply[]> {
  const preferred = new Set((await preferredSupply(query, preference, width)).map(({ asset }) => asset));
  const rows = await query<SupplyRow>(
    `SELECT ${SUPPLY_COLUMNS} FROM supply WHERE asset_id = ANY ($1) AND ${RETIRABLE} ORDER BY asset_id FOR UPDATE`,
    [[...new Set([...preferred, ...promised])]],
  );
  return rows.map((row) => ({ ...toSupply(row), onlyOnTerms: !preferred.has(row.asset_id) }));
}
