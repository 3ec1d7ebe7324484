import { randomUUID } from 'node:crypto';
import { TransientError } from '@carbon/http';
import { Logger } from '@nestjs/common';
import { leaseIsAhead, whileRepeating } from '../fulfillment/lease.js';
import type { Database, Query } from '../persistence/database.js';
import { type DatabaseState, type Fence, SERVER } from '../persistence/fence.js';

/** How long a process that recovers may be silent before another one continues, by the database's clock. */
export const RECOVERY_LEASE_SECONDS = 15;
const RENEW_MS = 3_000;

/** The lease of a recovery: a fencing token, with the server and the epoch that it was taken in. */
export interface RecoveryLease extends Fence {
  readonly token: string;
}

const logger = new Logger('RecoveryLease');

/**
 * Takes the lease, unless another process holds it or has recovered since `seen`. The first lease of a recovery increments the epoch,
 * which ends every fence. In a backup that was taken during a recovery, that recovery began on another server and starts over.
 */
export async function takeLease(query: Query, seen: DatabaseState): Promise<RecoveryLease | undefined> {
  const token = randomUUID();
  const [taken] = await query<Fence>(
    `UPDATE database_state SET recovery_token = $1, recovery_until = now() + interval '${RECOVERY_LEASE_SECONDS} s',
       epoch = epoch + CASE WHEN recovering THEN 0 ELSE 1 END, recovering = true,
       recovering_since = CASE WHEN recovering_since > pg_postmaster_start_time() THEN recovering_since ELSE now() END
     WHERE single AND epoch = $2::bigint AND recovering = $3 AND (recovery_until IS NULL OR recovery_until < now()
       OR ${leaseIsAhead(RECOVERY_LEASE_SECONDS, 'recovery_until')})
     RETURNING ${SERVER} AS server, epoch::text`,
    [token, seen.epoch, seen.recovering],
  );
  return taken && { ...taken, token };
}

/** Must be the first call in each transaction of a recovery. Renews the lease. @throws TransientError unless it is held */
export async function renewLease(query: Query, { token, server }: RecoveryLease): Promise<void> {
  const fenceRows = await query(
    `UPDATE database_state SET recovery_until = now() + interval '${RECOVERY_LEASE_SECONDS} s'
     WHERE single AND recovering AND recovery_token = $1 AND ${SERVER} = $2 RETURNING single`,
    [token, server],
  );
  if (fenceRows.length === 0) {
    throw new TransientError('service_unavailable', 'Another process recovers, or PostgreSQL was replaced meanwhile.');
  }
}

/** Renews the lease in the background while `work` runs, and releases it afterwards. */
export async function whileRenewing<T>(database: Database, lease: RecoveryLease, work: () => Promise<T>): Promise<T> {
  const renew = () =>
    renewLease(database.urgent, lease).catch((error: unknown) => {
      logger.warn('The lease of the recovery could not be renewed.', error);
    });
  try {
    return await whileRepeating(RENEW_MS, renew, work);
  } finally {
    await releaseLease(database.query, lease);
  }
}

/** Where this fails, the lease expires. */
async function releaseLease(query: Query, { token }: RecoveryLease): Promise<void> {
  await query(
    'UPDATE database_state SET recovery_token = NULL, recovery_until = NULL WHERE single AND recovery_token = $1',
    [token],
  ).catch((error: unknown) => logger.warn('The lease of the recovery could not be released.', error));
}
