import type { PricedLine } from '../domain/line.js';
import type { Query } from '../persistence/database.js';
import { storedLines } from '../persistence/estimate.entity.js';
import { fenceHolds } from '../persistence/fence.js';

/** An estimate to be written down. */
export interface NewEstimate {
  readonly id: string;
  readonly account: string;
  readonly kgCO2e: number;
  readonly grams: bigint;
  readonly asset?: string | undefined;
  readonly lines: readonly PricedLine[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** An id that has a row already keeps it as it is. @throws FenceLost */
export async function insertEstimate(query: Query, estimate: NewEstimate): Promise<void> {
  const { id, account, kgCO2e, grams, asset, lines, createdAt, expiresAt } = estimate;
  const stored = JSON.stringify(storedLines(lines));
  const values = [id, account, kgCO2e, grams, asset, stored, lines.length, createdAt, expiresAt];
  const held = await query(
    `WITH fence AS MATERIALIZED (SELECT FROM database_state WHERE ${fenceHolds(10)}), written AS (
       INSERT INTO estimates (id, account, kg_co2e, grams, asset_id, lines, line_count, created_at, expires_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9 FROM fence
       ON CONFLICT (id) DO NOTHING
     )
     SELECT FROM fence`,
    [...values, ...query.fence.parameters],
  );
  if (held.length === 0) throw query.fence.lose();
}
