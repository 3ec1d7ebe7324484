import { deadLetterTopic, TOPICS } from '@carbon/contracts';
import { topicEnds } from '@carbon/messaging';
import type { Observer } from '../load/observer.js';
import type { OffsetLoad } from '../load/offset-load.js';
import type { SearchLoad } from '../load/search-load.js';
import type { ChaosSystem } from '../system/chaos-system.js';
import { judgeContents } from './contents.js';
import { Findings } from './counts.js';
import { readPublishedOutcomes } from './kafka-events.js';
import { judgeAttempts, judgeRows, recordedOffsets } from './records.js';

/** The observations of the clients of a run. */
export interface Clients {
  readonly load: OffsetLoad;
  readonly observer: Observer;
  readonly search: SearchLoad;
}

/** Compares the clients' observations, the database and the published events, after the apps have stopped. */
export async function judge(system: ChaosSystem, clients: Clients): Promise<Findings> {
  const findings = new Findings();
  const { byOffset, unreadable } = await readPublishedOutcomes(system.kafka);
  const rows = await recordedOffsets(system);
  for (const message of unreadable) findings.add('unexpected', message);
  judgeAttempts(findings, clients.load, rows);
  judgeRows(findings, rows, byOffset, system);
  await judgeContents(findings, byOffset, clients.observer, system);
  judgeReads(findings, clients, system);
  const { longestMs } = clients.load;
  if (longestMs > system.shape.lateMs) findings.add('late', `a POST was answered after ${Math.round(longestMs)} ms`);
  await judgeDeadLetters(findings, system);
  await judgeLedger(findings, system);
  return findings;
}

function judgeReads(findings: Findings, { observer, search }: Clients, system: ChaosSystem): void {
  for (const id of observer.notFound) findings.add('notFound', id);
  for (const { id, before, after, seenAt } of observer.changes)
    if (!system.isAllowed('changed', seenAt)) findings.add('changed', `${id} was ${before} and is ${after}`);
  for (const { id, at } of search.missing) if (!system.isAllowed('missing', at)) findings.add('missing', id);
  for (const answer of [...observer.unexpected, ...search.unexpected]) findings.add('unexpected', answer);
}

async function judgeDeadLetters(findings: Findings, { kafka }: ChaosSystem): Promise<void> {
  for (const topic of Object.keys(TOPICS)) {
    const ends = await topicEnds(kafka, deadLetterTopic(topic));
    for (const { begin, end, partition } of ends)
      for (let position = begin; position < end; position += 1n)
        findings.add('deadLetters', `${deadLetterTopic(topic)}, partition ${partition}, position ${position}`);
  }
}

async function judgeLedger(findings: Findings, system: ChaosSystem): Promise<void> {
  for (const check of ['audit', 'verify']) {
    await system.command(['ledger', check]).catch((error: Error & { stdout?: string; stderr?: string }) => {
      findings.add(
        'conservation',
        `ledger ${check}: ${(error.stdout || error.stderr || error.message).slice(0, 1_000)}`,
      );
    });
  }
  const late = await system.rows<{ offset_id: string; at: Date }>(
    'SELECT offset_id, at FROM ledger WHERE at > clock_timestamp()',
  );
  const isExplained = (at: number) => system.clocks.postgresAhead.some(({ from, until }) => at >= from && at <= until);
  for (const { offset_id, at } of late)
    if (!isExplained(at.getTime())) findings.add('fromTheFuture', `${offset_id}, ${at.toISOString()}`);
}
