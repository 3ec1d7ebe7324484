import type { TermsByOffset } from '../domain/allocation.js';
import { checkEstimate, chooseEstimates, type Estimate, type EstimateTerms } from '../domain/estimate.js';
import type { Failure } from '../domain/failure.js';
import type { OffsetRow } from '../domain/offset-row.js';
import type { Query } from '../persistence/database.js';
import { pricedLines, type StoredLine } from '../persistence/estimate.entity.js';

interface EstimateRow {
  readonly id: string;
  readonly account: string;
  readonly grams: string;
  readonly expires_at: Date;
  readonly lines: StoredLine[];
}

/** Returns the estimates that a batch reads; an estimate is written once, so its lines can be counted before it is locked. */
export async function estimatesToRead(query: Query, offsets: readonly OffsetRow[]): Promise<Set<string>> {
  const named = offsets.flatMap(({ estimateId }) => estimateId ?? []);
  if (named.length === 0) return new Set();
  const rows = await query<{ id: string; line_count: number }>(
    'SELECT id, line_count FROM estimates WHERE id = ANY ($1)',
    [[...new Set(named)]],
  );
  return chooseEstimates(named, new Map(rows.map(({ id, line_count }) => [id, line_count])));
}

/**
 * Locks the estimates that these locked offsets name, so that two workers do not use the same estimate for two offsets, and
 * returns their lines. Sends no statement when no estimate is named.
 */
export async function lockEstimateTerms(
  query: Query,
  offsets: readonly OffsetRow[],
): Promise<TermsByOffset<OffsetRow>> {
  const named = offsets.filter(({ estimateId }) => estimateId !== null);
  const terms = new Map<OffsetRow, EstimateTerms | Failure>();
  if (named.length === 0) return terms;
  const ids = [...new Set(named.flatMap(({ estimateId }) => estimateId ?? []))];
  const estimates = await lockEstimates(query, ids);
  const used = await usedEstimates(query, ids);
  for (const offset of named) {
    const { estimateId } = offset;
    if (estimateId !== null) terms.set(offset, checkEstimate(offset, estimates.get(estimateId), used.has(estimateId)));
  }
  return terms;
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

/** A separate statement after the locks, so that it sees the changes of the worker that held them before. */
async function usedEstimates(query: Query, ids: readonly string[]): Promise<Set<string>> {
  const rows = await query<{ estimate_id: string }>(
    `SELECT estimate_id FROM offsets WHERE estimate_id = ANY ($1) AND status IN ('processing', 'completed')`,
    [ids],
  );
  return new Set(rows.map(({ estimate_id }) => estimate_id));
}
