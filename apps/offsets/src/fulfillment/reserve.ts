import { Injectable } from '@nestjs/common';
import type { Allocated } from '../domain/allocation.js';
import { gramsByAsset } from '../domain/line.js';
import type { OffsetRow } from '../domain/offset-row.js';
import type { StatusChange } from '../metrics/offset-metrics.js';
import type { Query } from '../persistence/database.js';
import { fenceHolds } from '../persistence/fence.js';
import { setStatus } from '../persistence/offset-rows.js';
import { QueuedOffsets } from './queued-offsets.js';
import { insertReservations } from './reservations.js';
import { WakeSignals } from './wake-signal.js';

/** Reserves credits for queued offsets, to be retired in a second transaction: `queued → processing | failed`. */
@Injectable()
export class CreditReserver {
  constructor(
    private readonly queued: QueuedOffsets,
    private readonly signals: WakeSignals,
  ) {}

  /** Reserves for one batch and wakes the worker that retires. Returns whether anything was decided. */
  async run(): Promise<boolean> {
    const isDecided = await this.queued.decide(reserveCredits);
    if (isDecided) this.signals.reserved.notify();
    return isDecided;
  }
}

async function reserveCredits(query: Query, allocated: readonly Allocated<OffsetRow>[]): Promise<StatusChange[]> {
  if (allocated.length === 0) return [];
  const lines = allocated.flatMap((one) => one.lines.map((line) => ({ ...line, offset: one.offset.id })));
  await insertReservations(query, lines);
  const sums = gramsByAsset(lines);
  // The constraint `supply_not_oversold` prevents reserving more than is available.
  await query(
    `UPDATE supply SET reserved = reserved + taken.grams
     FROM unnest($1::text[], $2::bigint[]) AS taken (asset_id, grams) WHERE supply.asset_id = taken.asset_id`,
    [[...sums.keys()], [...sums.values()]],
  );
  return startProcessing(query, allocated);
}

/** Writes a lease that has already expired: the offset is due, and any process may claim it. */
async function startProcessing(query: Query, allocated: readonly Allocated<OffsetRow>[]): Promise<StatusChange[]> {
  const rows = await query<{ seconds: number }>(
    `UPDATE offsets SET ${setStatus('queued', 'processing')}, cost_micros = decided.cost,
       lease_token = gen_random_uuid(), lease_until = now()
     FROM unnest($1::text[], $2::numeric[]) AS decided (id, cost)
     WHERE offsets.id = decided.id AND ${fenceHolds(3)}
     RETURNING extract(epoch FROM updated_at - created_at)::double precision AS seconds`,
    [
      allocated.map(({ offset }) => offset.id),
      allocated.map(({ costMicros }) => costMicros),
      ...query.fence.parameters,
    ],
  );
  if (rows.length === 0) throw query.fence.lose();
  return rows.map(({ seconds }) => ({ from: 'queued', to: 'processing', seconds }));
}
