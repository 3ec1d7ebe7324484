import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { BATCH_LINES } from '../domain/line.js';
import type { Query } from '../persistence/database.js';
import { fenceHolds } from '../persistence/fence.js';
import type { RetirementOrder } from '../registry/registry.js';
import { LEASE_SECONDS, leaseIsAhead } from './lease.js';
import { readReservations } from './reservations.js';

const logger = new Logger('Claim');

/** Offsets in `processing` that one worker has leased; every write about them checks the fencing token. */
export interface Claim {
  readonly token: string;
  readonly orders: readonly RetirementOrder[];
  /** Offsets whose last worker did not renew its lease. */
  readonly reclaimed: number;
}

/** What a worker claims. */
export interface ClaimOptions {
  /** Offsets at most. */
  readonly limit: number;
  /** Whether an external registry is called about them. */
  readonly isExternal: boolean;
  /** The longest that an offset waits between two attempts. */
  readonly maxWaitMs: number;
}

interface ClaimedRow {
  readonly id: string;
  readonly attempt: number;
  readonly is_recovered: boolean | null;
  readonly is_reclaimed: boolean | null;
}

/**
 * Claims offsets in `processing` that are due and not leased, longest due first, with their reservations; fewer than
 * the limit, but at least one, where they have very many lines. An attempt at an external registry is counted before it is made,
 * so that one which kills its process counts too. Without such a registry, offsets that one was called about are not claimed: only
 * the registry knows whether they are retired. Claims none on a database that this process has not verified.
 */
export async function claimReserved(query: Query, options: ClaimOptions): Promise<Claim> {
  const { limit, isExternal, maxWaitMs } = options;
  const token = randomUUID();
  // Two ranges of one index: joined by OR they would be a walk over everything that is leased.
  const due = (range: string) => `SELECT id, lease_until FROM offsets
       WHERE status = 'processing' AND ${range} AND ($3 OR registry_attempts = 0) AND ${fenceHolds(4)}
       ORDER BY lease_until, id LIMIT $2 FOR UPDATE SKIP LOCKED`;
  const ahead = leaseIsAhead(Math.max(LEASE_SECONDS, maxWaitMs / 1_000));
  const claimed = await query<ClaimedRow>(
    `WITH ended AS MATERIALIZED (${due('lease_until < now()')}), ahead AS MATERIALIZED (${due(ahead)}),
     due AS (TABLE ended UNION ALL TABLE ahead LIMIT $2), summed AS (
       SELECT id, sum(own) OVER (ORDER BY lease_until, id) - own AS before FROM due
       CROSS JOIN LATERAL (SELECT count(*) AS own FROM reservations WHERE offset_id = due.id) AS lines
     )
     UPDATE offsets SET lease_token = $1, lease_until = now() + interval '${LEASE_SECONDS} s',
       registry_attempts = registry_attempts + CASE WHEN $3 THEN 1 ELSE 0 END
     WHERE id = ANY (ARRAY(SELECT id FROM summed WHERE before < ${BATCH_LINES})) RETURNING id, registry_attempts AS attempt,
       created_at <= (SELECT greatest(recovered_at, server_since) FROM database_state) AS is_recovered,
       NOT $3 AND old.lease_until > old.processing_at + interval '1 s' AS is_reclaimed`,
    [token, limit, isExternal, ...query.fence.parameters],
  );
  if (claimed.length === 0) return { token, orders: [], reclaimed: 0 };
  const orders = await ordersOf(query, claimed);
  return { token, orders, reclaimed: claimed.filter(({ is_reclaimed }) => is_reclaimed === true).length };
}

async function ordersOf(query: Query, claimed: readonly ClaimedRow[]): Promise<RetirementOrder[]> {
  const lines = await readReservations(
    query,
    claimed.map(({ id }) => id),
  );
  const byOffset = Map.groupBy(lines, ({ offset }) => offset);
  return claimed.flatMap(({ id, attempt, is_recovered }) => {
    const own = byOffset.get(id);
    if (own) return { offset: id, attempt, isRecovered: is_recovered === true, lines: own };
    // The offset is claimed again at the end of each lease.
    logger.error('An offset in processing has no reservations: it cannot be retired.', { id });
    return [];
  });
}
