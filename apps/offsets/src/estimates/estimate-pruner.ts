import type { Query } from '../persistence/database.js';

const BATCH_SIZE = 1_000;

/**
 * An offset that names an expired estimate must fail with that reason, so the estimate outlives its request: by default 14 days in
 * the topic and 30 more as a dead letter, each longer by a segment (1 and 7 days). One day is for differences between clocks. A
 * longer `OFFSET_REQUESTED_DAYS` is not taken into account.
 */
const RETENTION_DAYS = 14 + 1 + 30 + 7 + 1;

/**
 * Deletes a batch of estimates that expired more than RETENTION_DAYS ago and that no offset names; returns whether there may be more. Offsets
 * are never deleted, so an estimate that one names is marked `kept` and skipped from then on.
 */
export async function pruneEstimates(query: Query): Promise<boolean> {
  const old = await query<{ id: string; is_named: boolean }>(
    `SELECT id, EXISTS (
       SELECT FROM offsets WHERE offsets.account = estimates.account AND offsets.estimate_id = estimates.id
     ) AS is_named
     FROM estimates WHERE NOT kept AND expires_at < now() - interval '${RETENTION_DAYS} days'
     ORDER BY expires_at, id LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED`,
  );
  const ids = (isNamed: boolean) => old.filter(({ is_named }) => is_named === isNamed).map(({ id }) => id);
  await query('UPDATE estimates SET kept = true WHERE id = ANY ($1)', [ids(true)]);
  await query('DELETE FROM estimates WHERE id = ANY ($1)', [ids(false)]);
  return old.length === BATCH_SIZE;
}
