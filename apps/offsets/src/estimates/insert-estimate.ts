import type { PricedLine } from '../domain/line.js';
import type { Query } from '../persistence/database.js';
import { storedLines } from '../persistence/estimate.entity.js';

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

/** An id that has a row already keeps it as it is. */
export async function insertEstimate(query: Query, estimate: NewEstimate): Promise<void> {
  const { id, account, kgCO2e, grams, asset, lines, createdAt, expiresAt } = estimate;
  await query(
    `INSERT INTO estimates (id, account, kg_co2e, grams, asset_id, lines, line_count, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO NOTHING`,
    [id, account, kgCO2e, grams, asset, JSON.stringify(storedLines(lines)), lines.length, createdAt, expiresAt],
  );
}
