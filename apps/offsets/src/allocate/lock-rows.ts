import type { Demand, Supply } from '../domain/allocation.js';
import type { Query } from '../persistence/database.js';

/** Offsets decided in one transaction. */
export const BATCH = 500;

const RETIRABLE = 'active AND price_micros IS NOT NULL AND published_issued IS NOT NULL';

interface DemandRow {
  readonly id: string;
  readonly grams: string;
  readonly estimate_id: string | null;
}

/** The oldest queued offsets that no other worker has in hand; nobody else can take them before this transaction ends. */
export async function lockDemands(query: Query): Promise<Demand[]> {
  const rows = await query<DemandRow>(
    `SELECT id, grams, estimate_id FROM offsets WHERE status = 'queued'
     ORDER BY created_at, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
  );
  return rows.map(({ id, grams, estimate_id }) => ({
    offset: id,
    grams: BigInt(grams),
    estimateId: estimate_id ?? undefined,
  }));
}

interface SupplyRow {
  readonly asset_id: string;
  readonly available: string;
  readonly price_micros: string;
  readonly rating: number | null;
}

/**
 * Locks the `width` preferred assets that have something left, in the order of their ids as everyone does, and reads them
 * as they are once locked. `isEverything`: there are no others.
 */
export async function lockSupply(query: Query, width: number): Promise<{ supplies: Supply[]; isEverything: boolean }> {
  const preferred = await query<{ asset_id: string }>(
    `SELECT asset_id FROM supply WHERE ${RETIRABLE} AND issued > reserved + retired
     ORDER BY price_micros, rating DESC NULLS LAST, asset_id LIMIT $1`,
    [width],
  );
  const rows = await query<SupplyRow>(
    `SELECT asset_id, issued - reserved - retired AS available, price_micros, rating
     FROM supply WHERE asset_id = ANY ($1) AND ${RETIRABLE} ORDER BY asset_id FOR UPDATE`,
    [preferred.map(({ asset_id }) => asset_id)],
  );
  return { supplies: rows.map(toSupply), isEverything: preferred.length < width };
}

function toSupply({ asset_id, available, price_micros, rating }: SupplyRow): Supply {
  return {
    asset: asset_id,
    available: BigInt(available),
    priceMicros: BigInt(price_micros),
    rating: rating ?? undefined,
  };
}
