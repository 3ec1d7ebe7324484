import type { Failure } from '../domain/failure.js';
import { failedEvent } from '../domain/outcome.js';
import type { StatusChange } from '../metrics/offset-metrics.js';
import { addToOutbox } from '../outbox/outbox-rows.js';
import type { Query } from '../persistence/database.js';
import { moveTo } from '../persistence/move-to.js';
import { DECIDED_COLUMNS, type DecidedRow, decidedOffset } from './decided-offset.js';

interface FailedRow extends DecidedRow {
  readonly failed_at: Date;
  readonly failure_code: Failure['code'];
  readonly failure_detail: string;
}

/** Moves these locked offsets to `failed` and writes down the events that say why. */
export async function failOffsets(
  query: Query,
  failures: readonly { readonly offset: string; readonly failure: Failure }[],
): Promise<StatusChange[]> {
  if (failures.length === 0) return [];
  const rows = await query<FailedRow>(
    `UPDATE offsets SET ${moveTo('queued', 'failed')}, failure_code = failed.code, failure_detail = failed.detail
     FROM unnest($1::text[], $2::text[], $3::text[]) AS failed (id, code, detail)
     WHERE offsets.id = failed.id
     RETURNING ${DECIDED_COLUMNS}, failed_at, failure_code, failure_detail`,
    [
      failures.map(({ offset }) => offset),
      failures.map(({ failure }) => failure.code),
      failures.map(({ failure }) => failure.detail),
    ],
  );
  await addToOutbox(query, rows.map(failedOutcome));
  return rows.map(({ failed_at, created_at, failure_code: code }) => {
    const seconds = (failed_at.getTime() - created_at.getTime()) / 1_000;
    return { from: 'queued', to: 'failed', seconds, sinceAccepted: seconds, code };
  });
}

function failedOutcome(row: FailedRow) {
  const failure = { code: row.failure_code, detail: row.failure_detail };
  const data = failedEvent(decidedOffset(row), failure, row.failed_at.toISOString());
  return { type: 'offset.failed.v1', data, traceparent: row.traceparent } as const;
}
