import { Injectable } from '@nestjs/common';
import { Database, type Query } from '../persistence/database.js';

/** For how many days published events are kept at least. */
export class OutboxRetention {
  constructor(readonly days: number) {}
}

/** A slot takes the events of a sixth of the retention, so that six of the eight are full, one is in use and one is free. */
const SLOTS_PER_RETENTION = 6;

/**
 * Removes events that were published longer ago than the retention, a whole slot of the outbox at a time: that costs the
 * same whatever is in it. Offsets keep their mark.
 */
@Injectable()
export class PruneOutbox {
  constructor(
    private readonly database: Database,
    private readonly retention: OutboxRetention,
  ) {}

  /** Says that there is no more to do: each run does all of it. */
  async run(): Promise<boolean> {
    await this.database.transaction((query) => turnSlots(query, this.retention.days));
    return false;
  }
}

/** In one transaction, one process at a time. A slot that is needed and not free yet is waited for: the current one takes more meanwhile. */
export async function turnSlots(query: Query, days: number): Promise<void> {
  await query('SELECT FROM outbox_slots ORDER BY slot FOR UPDATE');
  await noteDrained(query);
  const expired = await query<{ slot: number }>(
    `SELECT slot FROM outbox_slots WHERE drained_at < now() - $1 * interval '1 day' ORDER BY slot`,
    [days],
  );
  for (const { slot } of expired) await query('SELECT empty_outbox_slot($1)', [slot]);
  await openNext(query, days);
}

/** From here on all events in these slots are published. As a scalar, the look into a slot is one at its own index. */
async function noteDrained(query: Query): Promise<void> {
  await query(
    `UPDATE outbox_slots AS closed SET drained_at = now()
     WHERE drained_at IS NULL AND opened_at < (SELECT max(opened_at) FROM outbox_slots)
       AND (SELECT true FROM outbox WHERE slot = closed.slot AND published_at IS NULL LIMIT 1) IS NULL`,
  );
}

async function openNext(query: Query, days: number): Promise<void> {
  await query(
    `UPDATE outbox_slots SET opened_at = now()
     WHERE slot = (SELECT min(slot) FROM outbox_slots WHERE opened_at IS NULL)
       AND (SELECT max(opened_at) FROM outbox_slots) < now() - $1 * interval '1 day' / ${SLOTS_PER_RETENTION}`,
    [days],
  );
}
