import type { Failure } from '../domain/failure.js';
import { failedEvent } from '../domain/outcome.js';
import type { StatusChange } from '../metrics/offset-metrics.js';
import { addToOutbox } from '../outbox/outbox-rows.js';
import type { Query } from '../persistence/database.js';
import { moveTo } from '../persistence/move-to.js';
import { DECIDED_COLUMNS, type DecidedRow, decidedOffset } from './decided-offset.js';
import { releaseReservations } from './release-reservations.js';
import { tokensOf } from './tokens.js';

/** An offset that the registry refused, under whose lease, and why, for its owner. */
export interface RefusedOffset {
  readonly offset: string;
  readonly token: string;
  readonly detail: string;
}

interface HeldRow {
  readonly id: string;
  readonly since: Date;
}

interface FailedRow extends DecidedRow {
  readonly failed_at: Date;
  readonly failure_detail: string;
}

const CODE: Failure['code'] = 'registry_refused';

/**
 * Moves refused offsets to `failed`, all of it or nothing: what was reserved for them is there for others again, and the
 * events say why. Offsets that are not held under these tokens any more are left out. Gives what has become of those that
 * were held.
 */
export async function refuseOffsets(query: Query, refused: readonly RefusedOffset[]): Promise<StatusChange[]> {
  const held = await query<HeldRow>(
    `SELECT id, coalesce(processing_at, updated_at) AS since FROM offsets
     WHERE id = ANY ($1) AND lease_token = ANY ($2) ORDER BY id FOR UPDATE`,
    [refused.map(({ offset }) => offset), tokensOf(refused)],
  );
  if (held.length === 0) return [];
  const ids = held.map(({ id }) => id);
  await releaseReservations(query, ids);
  const failed = await fail(query, ids, refused);
  await addToOutbox(query, failed.map(failedOutcome));
  const since = new Map(held.map((row) => [row.id, row.since]));
  return failed.map((row) => failure(row, since.get(row.id) ?? row.failed_at));
}

/** @param since when it came to be `processing` */
function failure({ failed_at, created_at }: FailedRow, since: Date): StatusChange {
  const seconds = (failed_at.getTime() - since.getTime()) / 1_000;
  const sinceAccepted = (failed_at.getTime() - created_at.getTime()) / 1_000;
  return { from: 'processing', to: 'failed', seconds, sinceAccepted, code: CODE };
}

function fail(query: Query, ids: readonly string[], refused: readonly RefusedOffset[]): Promise<FailedRow[]> {
  const details = new Map(refused.map(({ offset, detail }) => [offset, detail]));
  return query<FailedRow>(
    `UPDATE offsets SET ${moveTo('processing', 'failed')}, cost_micros = NULL,
       failure_code = $1, failure_detail = failed.detail, lease_token = NULL, lease_until = NULL
     FROM unnest($2::text[], $3::text[]) AS failed (id, detail) WHERE offsets.id = failed.id
     RETURNING ${DECIDED_COLUMNS}, failed_at, failure_detail`,
    [CODE, ids, ids.map((id) => details.get(id))],
  );
}

function failedOutcome(row: FailedRow) {
  const data = failedEvent(decidedOffset(row), { code: CODE, detail: row.failure_detail }, row.failed_at.toISOString());
  return { type: 'offset.failed.v1', data, traceparent: row.traceparent } as const;
}
