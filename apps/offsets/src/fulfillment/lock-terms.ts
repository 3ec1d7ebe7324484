import type { Demand } from '../domain/allocation.js';
import { type Estimate, termsOf } from '../domain/estimate.js';
import type { Query } from '../persistence/database.js';
import { pricedLines, type StoredLine } from '../persistence/estimate.entity.js';
import type { Queued } from './lock-rows.js';

interface EstimateRow {
  readonly id: string;
  readonly account: string;
  readonly grams: string;
  readonly expires_at: Date;
  readonly lines: StoredLine[];
}

interface UserRow {
  readonly id: string;
  readonly account: string;
  readonly created_at: Date;
  readonly is_used: boolean;
}

/**
 * The demands of these locked offsets, with what their estimates hold for them. Locks the estimates that are named, so
 * that two workers do not give two offsets credits by the same one; asks nothing where none is named.
 */
export async function lockTerms(query: Query, queued: readonly Queued[]): Promise<readonly Demand[]> {
  const named = queued.flatMap(({ offset, estimateId }) => (estimateId === undefined ? [] : [{ offset, estimateId }]));
  if (named.length === 0) return queued;
  const estimates = await lockEstimates(query, [...new Set(named.map(({ estimateId }) => estimateId))]);
  const users = await usersOf(
    query,
    named.map(({ offset }) => offset),
  );
  return queued.map((one) => {
    const user = users.get(one.offset);
    if (one.estimateId === undefined || user === undefined) return one;
    const { account, created_at: createdAt, is_used: isUsed } = user;
    const terms = termsOf({ account, grams: one.grams, createdAt, isUsed }, estimates.get(one.estimateId));
    return { ...one, terms };
  });
}

async function lockEstimates(query: Query, ids: readonly string[]): Promise<Map<string, Estimate>> {
  const rows = await query<EstimateRow>(
    'SELECT id, account, grams, expires_at, lines FROM estimates WHERE id = ANY ($1) ORDER BY id FOR UPDATE',
    [ids],
  );
  return new Map(rows.map((row) => [row.id, toEstimate(row)]));
}

function toEstimate({ id, account, grams, expires_at, lines }: EstimateRow): Estimate {
  return { id, account, grams: BigInt(grams), expiresAt: expires_at, lines: pricedLines(lines) };
}

/** A statement of its own, after the estimates are locked: it then sees whatever another worker did with them before. */
async function usersOf(query: Query, offsets: readonly string[]): Promise<Map<string, UserRow>> {
  const rows = await query<UserRow>(
    `SELECT id, account, created_at, EXISTS (
       SELECT FROM offsets AS other
       WHERE other.estimate_id = offsets.estimate_id AND other.status IN ('processing', 'completed')
     ) AS is_used
     FROM offsets WHERE id = ANY ($1)`,
    [offsets],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
