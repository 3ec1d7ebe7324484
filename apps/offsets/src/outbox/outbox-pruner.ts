import type { Query } from '../persistence/database.js';

/** A slot receives the events of a sixth of the retention, so six of the eight slots are full, one is in use and one is free. */
const SLOTS_PER_RETENTION = 6;

/**
 * Removes events that were published more than `days` ago, by truncating a slot of the outbox. Offsets keep their mark. One process
 * at a time. Until a slot is free, the current one receives more.
 */
export async function pruneOutbox(query: Query, days: number): Promise<void> {
  await query('SELECT FROM outbox_slots ORDER BY slot FOR UPDATE');
  // All events in these slots are published. As a scalar subquery, the lookup in a slot uses the slot's own index.
  await query(
    `UPDATE outbox_slots AS closed SET drained_at = now()
     WHERE drained_at IS NULL AND opened_at < (SELECT max(opened_at) FROM outbox_slots)
       AND (SELECT true FROM outbox WHERE slot = closed.slot AND published_at IS NULL LIMIT 1) IS NULL`,
  );
  const expired = await query<{ slot: number }>(
    `SELECT slot FROM outbox_slots WHERE drained_at < now() - $1 * interval '1 day' ORDER BY slot`,
    [days],
  );
  for (const { slot } of expired) await query('SELECT empty_outbox_slot($1)', [slot]);
  await query(
    `UPDATE outbox_slots SET opened_at = now()
     WHERE slot = (SELECT min(slot) FROM outbox_slots WHERE opened_at IS NULL)
       AND (SELECT max(opened_at) FROM outbox_slots) < now() - $1 * interval '1 day' / ${SLOTS_PER_RETENTION}`,
    [days],
  );
}
