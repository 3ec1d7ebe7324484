import { deadLetterTopic, TOPICS } from '@carbon/contracts';
import { endsOf } from '@carbon/messaging';
import type { Change, Observer } from '../load/observer.js';
import type { OffsetLoad } from '../load/offset-load.js';
import type { SearchLoad } from '../load/search-load.js';
import type { Allowance, ChaosSystem } from '../system/chaos-system.js';
import { Findings } from './counts.js';
import { type Announced, announcedOutcomes } from './kafka-events.js';

const LEDGER = 'apps/offsets/dist/ledger-cli/ledger.js';

/** One row of the database. */
interface Recorded {
  readonly id: string;
  readonly customer_ref: string;
  readonly status: string;
  readonly estimate_id: string | null;
  readonly kg_co2e: number;
  readonly is_marked: boolean;
  readonly created_at: Date;
}

const RECORDED =
  'SELECT id, customer_ref, status, estimate_id, kg_co2e, announced_at IS NOT NULL AS is_marked, created_at FROM offsets';

/** What the clients of a run have seen. */
export interface Clients {
  readonly load: OffsetLoad;
  readonly observer: Observer;
  readonly search: SearchLoad;
}

/** Holds what clients saw, what the database says and what Kafka announced against one another. */
export async function judge(system: ChaosSystem, clients: Clients): Promise<Findings> {
  const findings = new Findings();
  // Kafka first: what is recorded and announced between the two readings is in the rows then, and not the other way round.
  const announced = await announcedOutcomes(system.kafka);
  const rows = await system.rows<Recorded>(RECORDED);
  judgeAttempts(findings, clients.load, rows);
  judgeRows(findings, rows, announced, system);
  judgeReads(findings, clients, system.allowances);
  const { longestMs } = clients.load;
  if (longestMs > system.shape.lateMs) findings.add('late', `a POST was answered after ${Math.round(longestMs)} ms`);
  await judgeDeadLetters(findings, system);
  await judgeLedger(findings, system);
  return findings;
}

function judgeAttempts(findings: Findings, { attempts, unexpected }: OffsetLoad, rows: readonly Recorded[]): void {
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
      else if (row.customer_ref !== reference || row.kg_co2e !== body.kgCO2e)
        findings.add('changed', `${id} was ${JSON.stringify(body)} and is ${JSON.stringify(row)}`);
    }
  }
  const references = new Set(attempts.map(({ reference }) => reference));
  for (const [reference, same] of byReference) {
    if (!references.has(reference)) findings.add('unexpected', `${same[0]?.id} (${reference}) was not asked for`);
    if (same.length > 1)
      findings.add('doubled', `${reference} is recorded as ${same.map(({ id }) => id).join(' and ')}`);
  }
  for (const answer of unexpected) findings.add('unexpected', answer);
}

function judgeRows(
  findings: Findings,
  rows: readonly Recorded[],
  announced: ReadonlyMap<string, Announced>,
  { registry, allowances }: ChaosSystem,
): void {
  const status = new Map(rows.map((row) => [row.id, row.status]));
  for (const { id, status, is_marked, estimate_id, created_at } of rows) {
    if (status !== 'completed' && status !== 'failed') findings.add('stuck', `${id} is ${status}`);
    else if (!announced.has(id)) findings.add('lost', `${id} is ${status}, which was never announced`);
    else if (!is_marked) findings.add('stuck', `${id} is announced, and not marked as announced`);
    // There is enough of everything but of what an estimate names.
    const recordedAt = created_at.getTime() - performance.timeOrigin;
    if (status === 'failed' && estimate_id === null && !isAllowed(allowances, 'refused', recordedAt))
      findings.add('refused', id);
    if (status === 'completed' && registry !== undefined && !registry.retired.has(id))
      findings.add('lost', `${id} is completed, and the registry never retired it`);
  }
  for (const [id, { events, outcomes }] of announced) {
    const contents = [...events.values()].flatMap((versions) => [...versions]);
    if (outcomes.size > 1 || events.size > 1 || contents.length > 1)
      findings.add('doubled', `${id} was announced as ${contents.join(' and ')}`);
    const [outcome = ''] = outcomes;
    if (status.get(id) !== outcome)
      findings.add('doubled', `${id} was announced as ${outcome} and is ${status.get(id)}`);
  }
  const priced = rows.filter(({ status, estimate_id }) => estimate_id !== null && status === 'completed');
  for (const [estimate, same] of Map.groupBy(priced, ({ estimate_id }) => estimate_id))
    if (same.length > 1) findings.add('doubled', `${estimate} was used by ${same.map(({ id }) => id).join(' and ')}`);
  for (const id of registry?.contradictions ?? [])
    findings.add('doubled', `${id} was ordered twice at the registry, with other lines`);
  for (const id of registry?.retired.keys() ?? [])
    if (status.get(id) !== 'completed')
      findings.add('doubled', `the registry retired ${id}, which is ${status.get(id)}`);
}

function judgeReads(findings: Findings, { observer, search }: Clients, allowances: readonly Allowance[]): void {
  for (const id of observer.notFound) findings.add('notFound', id);
  for (const { id, before, after, seenAt } of observer.changes)
    if (!isAllowed(allowances, 'changed', seenAt)) findings.add('changed', `${id} was ${before} and is ${after}`);
  for (const { id, at } of search.missing) if (!isAllowed(allowances, 'missing', at)) findings.add('missing', id);
  for (const answer of [...observer.unexpected, ...search.unexpected]) findings.add('unexpected', answer);
}

function isAllowed(allowances: readonly Allowance[], kind: Allowance['kind'], at: number): boolean {
  return allowances.some((allowance) => allowance.kind === kind && at >= allowance.from && at <= allowance.until);
}

/** How many changes a fault explains, for the report. */
export function explainedChanges(changes: readonly Change[], allowances: readonly Allowance[]): number {
  return changes.filter(({ seenAt }) => isAllowed(allowances, 'changed', seenAt)).length;
}

async function judgeDeadLetters(findings: Findings, { kafka }: ChaosSystem): Promise<void> {
  for (const topic of Object.keys(TOPICS)) {
    const ends = await endsOf(kafka, deadLetterTopic(topic));
    for (const { begin, end, partition } of ends)
      for (let position = begin; position < end; position += 1n)
        findings.add('deadLetters', `${deadLetterTopic(topic)}, partition ${partition}, position ${position}`);
  }
}

async function judgeLedger(findings: Findings, system: ChaosSystem): Promise<void> {
  for (const check of ['audit', 'verify']) {
    await system.command(LEDGER, check).catch((error: Error & { stdout?: string; stderr?: string }) => {
      findings.add(
        'conservation',
        `ledger ${check}: ${(error.stdout || error.stderr || error.message).slice(0, 1_000)}`,
      );
    });
  }
  const late = await system.rows<{ offset_id: string }>(
    `SELECT offset_id FROM ledger WHERE at > clock_timestamp() + $1 * interval '1 ms'`,
    [system.clocks.postgresAheadMs],
  );
  for (const { offset_id } of late) findings.add('fromTheFuture', offset_id);
}
