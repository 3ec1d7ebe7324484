import { Injectable } from '@nestjs/common';
import { Database, type Query } from '../persistence/database.js';

/** Rows looked at at once: a small transaction, whatever has gathered. */
const BATCH = 1_000;

/**
 * An offset may still name an estimate that expired long ago, and must then be told so: its request waits in the topic for
 * up to 14 days and, should it be put aside there, for up to 30 more; a day is for the clocks.
 */
const DAYS = 14 + 30 + 1;

/** Forgets estimates that expired more than 45 days ago and were never named by an offset. */
@Injectable()
export class PruneEstimates {
  constructor(private readonly database: Database) {}

  /** One batch; says whether there may be more. */
  run(): Promise<boolean> {
    return this.database.transaction(prune);
  }
}

/** Offsets are for ever, so an estimate that one names is marked as kept and not looked at again. */
async function prune(query: Query): Promise<boolean> {
  const old = await query<{ id: string; is_named: boolean }>(
    `SELECT id, EXISTS (
       SELECT FROM offsets WHERE offsets.account = estimates.account AND offsets.estimate_id = estimates.id
     ) AS is_named
     FROM estimates WHERE NOT kept AND expires_at < now() - interval '${DAYS} days'
     ORDER BY expires_at, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
  );
  const ids = (isNamed: boolean) => old.filter(({ is_named }) => is_named === isNamed).map(({ id }) => id);
  await query('UPDATE estimates SET kept = true WHERE id = ANY ($1)', [ids(true)]);
  await query('DELETE FROM estimates WHERE id = ANY ($1)', [ids(false)]);
  return old.length === BATCH;
}
