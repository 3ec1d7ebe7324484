import type { Attempt, OffsetLoad } from '../load/offset-load.js';
import type { ChaosSystem } from '../system/chaos-system.js';
import type { Findings } from './counts.js';
import type { PublishedEvents } from './kafka-events.js';

/** One row of the database. */
export interface RecordedOffset {
  readonly id: string;
  readonly customer_ref: string;
  readonly status: string;
  readonly estimate_id: string | null;
  readonly kg_co2e: number;
  readonly is_marked: boolean;
  readonly created_at: Date;
}

/** Every offset in PostgreSQL. */
export function recordedOffsets(system: ChaosSystem): Promise<RecordedOffset[]> {
  return system.rows<RecordedOffset>(
    'SELECT id, customer_ref, status, estimate_id, kg_co2e, announced_at IS NOT NULL AS is_marked, created_at FROM offsets',
  );
}

/** Compares the requested offsets with the recorded ones. */
export function judgeAttempts(
  findings: Findings,
  { attempts, unexpected }: OffsetLoad,
  rows: readonly RecordedOffset[],
): void {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byReference = Map.groupBy(rows, ({ customer_ref }) => customer_ref);
  const accepted = attempts.filter(({ ids }) => ids.size > 0);
  const unknown = attempts.filter(({ ids, unknown }) => ids.size === 0 && unknown);
  findings.set('attempted', attempts.length);
  findings.set('accepted', accepted.length);
  findings.set('unknown', unknown.length);
  findings.set('recovered', unknown.filter(({ reference }) => byReference.has(reference)).length);
  for (const { reference, ids, body } of accepted) {
    if (ids.size > 1) findings.add('doubled', `${reference} was accepted as ${[...ids].join(' and ')}`);
    for (const id of ids) {
      const row = byId.get(id);
      if (row === undefined) findings.add('lost', `${id} (${reference}) is not recorded`);
      else if (!matchesAttempt(row, reference, body))
        findings.add('changed', `${id} was ${JSON.stringify(body)} and is ${JSON.stringify(row)}`);
    }
  }
  const references = new Set(attempts.map(({ reference }) => reference));
  for (const [reference, same] of byReference) {
    if (!references.has(reference)) findings.add('unexpected', `${same[0]?.id} (${reference}) was not requested`);
    if (same.length > 1)
      findings.add('doubled', `${reference} is recorded as ${same.map(({ id }) => id).join(' and ')}`);
  }
  for (const answer of unexpected) findings.add('unexpected', answer);
}

function matchesAttempt(
  row: RecordedOffset,
  reference: string,
  { kgCO2e, estimateId = null }: Attempt['body'],
): boolean {
  return row.customer_ref === reference && row.kg_co2e === kgCO2e && row.estimate_id === estimateId;
}

/** Compares the recorded offsets with the published events, and with the external registry if there is one. */
export function judgeRows(
  findings: Findings,
  rows: readonly RecordedOffset[],
  published: ReadonlyMap<string, PublishedEvents>,
  system: ChaosSystem,
): void {
  const { registry } = system;
  const status = new Map(rows.map((row) => [row.id, row.status]));
  for (const { id, status, is_marked, estimate_id, created_at } of rows) {
    if (status !== 'completed' && status !== 'failed') findings.add('stuck', `${id} is ${status}`);
    else if (!published.has(id)) findings.add('lost', `${id} is ${status}, which was never published`);
    else if (!is_marked) findings.add('stuck', `${id} is published, and not marked as published`);
    // There is enough supply except for the assets of estimates.
    const recordedAt = created_at.getTime() - performance.timeOrigin;
    if (status === 'failed' && estimate_id === null && !system.isAllowed('refused', recordedAt))
      findings.add('refused', id);
    if (status === 'completed' && registry !== undefined && !registry.ledger.has(id))
      findings.add('lost', `${id} is completed, and the registry never retired it`);
  }
  for (const [id, { events, outcomes }] of published) {
    const contents = [...events.values()].flatMap((versions) => [...versions]);
    if (outcomes.size > 1 || events.size > 1 || contents.length > 1)
      findings.add('doubled', `${id} was published as ${contents.join(' and ')}`);
    const [outcome = ''] = outcomes;
    if (status.get(id) !== outcome)
      findings.add('doubled', `${id} was published as ${outcome} and is ${status.get(id)}`);
  }
  const priced = rows.filter(({ status, estimate_id }) => estimate_id !== null && status === 'completed');
  for (const [estimate, same] of Map.groupBy(priced, ({ estimate_id }) => estimate_id))
    if (same.length > 1) findings.add('doubled', `${estimate} was used by ${same.map(({ id }) => id).join(' and ')}`);
  for (const violation of registry?.violations ?? []) findings.add('doubled', `at the registry: ${violation}`);
  for (const id of registry?.ledger.keys() ?? [])
    if (status.get(id) !== 'completed')
      findings.add('doubled', `the registry retired ${id}, which is ${status.get(id)}`);
}
