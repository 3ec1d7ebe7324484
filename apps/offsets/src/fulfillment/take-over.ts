import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { Claim } from '../domain/claim.js';
import type { Query } from '../persistence/database.js';
import { fenceHolds } from '../persistence/fence.js';
import type { AttemptedOrder } from '../registry/registry.js';
import { LEASE_SECONDS, leaseIsAhead } from './lease.js';
import { LOT_LINES } from './lots.js';

const logger = new Logger('TakeOver');

/** What was taken over: offsets held under a token, each with the number of this attempt. */
export interface AttemptedClaim extends Claim {
  readonly orders: readonly AttemptedOrder[];
}

interface TakenRow {
  readonly id: string;
  readonly attempt: number;
  readonly is_recovered: boolean | null;
}

interface LineRow {
  readonly offset_id: string;
  readonly asset_id: string;
  readonly grams: string;
  readonly price_micros: string;
}

/**
 * Claims up to `most` offsets in `processing` that nobody holds, longest due first, with what is reserved for them; fewer,
 * but at least one, where that is very much. Their worker was silent for too long, or they were laid aside and are due
 * again. An attempt at an external registry is counted before it is made, so that one which kills its process counts too.
 * Who asks no such registry leaves alone what another process has asked one about: only that one knows whether it is
 * retired. None on a database that this process has not verified: what it has forgotten must be asked for by other words.
 * @param longestAsideMs the longest that an offset is laid aside for
 */
export async function takeOver(
  query: Query,
  most: number,
  isAtHand: boolean,
  longestAsideMs: number,
): Promise<AttemptedClaim> {
  const token = randomUUID();
  // Two ranges of one index: joined by OR they would be a walk over everything that is held.
  const free = (range: string) => `SELECT id, lease_until FROM offsets
       WHERE status = 'processing' AND ${range} AND (NOT $3 OR registry_attempts = 0) AND ${fenceHolds(4)}
       ORDER BY lease_until, id LIMIT $2 FOR UPDATE SKIP LOCKED`;
  const ahead = leaseIsAhead(Math.max(LEASE_SECONDS, longestAsideMs / 1_000));
  const taken = await query<TakenRow>(
    `WITH ended AS MATERIALIZED (${free('lease_until < now()')}), ahead AS MATERIALIZED (${free(ahead)}),
     due AS (TABLE ended UNION ALL TABLE ahead LIMIT $2), summed AS (
       SELECT id, sum(own) OVER (ORDER BY lease_until, id) - own AS before FROM due
       CROSS JOIN LATERAL (SELECT count(*) AS own FROM reservations WHERE offset_id = due.id) AS lines
     )
     UPDATE offsets SET lease_token = $1, lease_until = now() + interval '${LEASE_SECONDS} s',
       registry_attempts = registry_attempts + CASE WHEN $3 THEN 0 ELSE 1 END
     WHERE id = ANY (ARRAY(SELECT id FROM summed WHERE before < ${LOT_LINES})) RETURNING id, registry_attempts AS attempt,
       created_at <= (SELECT greatest(recovered_at, server_since) FROM database_state) AS is_recovered`,
    [token, most, isAtHand, ...query.fence.parameters],
  );
  if (taken.length === 0) return { token, orders: [] };
  const lines = await query<LineRow>(
    'SELECT * FROM reservations WHERE offset_id = ANY ($1) ORDER BY offset_id, asset_id',
    [taken.map(({ id }) => id)],
  );
  const orders = ordersOf(lines, new Map(taken.map((row) => [row.id, row])));
  tellBare(taken, orders);
  return { token, orders };
}

/** For an offset in `processing` of which nothing is reserved no registry can be asked: it comes back at the end of each lease. */
function tellBare(taken: readonly TakenRow[], orders: readonly AttemptedOrder[]): void {
  const whole = new Set(orders.map(({ offset }) => offset));
  for (const { id } of taken) {
    if (!whole.has(id))
      logger.error('An offset is in processing, and nothing is reserved for it: it cannot go on.', { id });
  }
}

function ordersOf(rows: readonly LineRow[], taken: ReadonlyMap<string, TakenRow>): AttemptedOrder[] {
  const byOffset = Map.groupBy(rows, ({ offset_id }) => offset_id);
  return [...byOffset].map(([offset, lines]) => ({
    offset,
    attempt: taken.get(offset)?.attempt ?? 1,
    isRecovered: taken.get(offset)?.is_recovered === true,
    lines: lines.map(({ asset_id, grams, price_micros }) => ({
      asset: asset_id,
      grams: BigInt(grams),
      priceMicros: BigInt(price_micros),
    })),
  }));
}
