import { TransientError } from '@carbon/http';
import { Injectable, Logger } from '@nestjs/common';
import { costOf } from '../domain/allocation.js';
import type { OffsetRow } from '../domain/offset-row.js';
import type { Move } from '../metrics/move.js';
import { ProgressNumbers } from '../metrics/progress-numbers.js';
import { addToOutbox } from '../outbox/outbox.js';
import { Database, type Query } from '../persistence/database.js';
import { moveTo } from '../persistence/move-to.js';
import { OFFSET_COLUMNS, type StoredOffset, toOffsetRow } from '../persistence/offset-rows.js';
import { isTooMuch } from '../persistence/sql-fault.js';
import type { RegistryAnswer } from '../registry/registry.js';
import { chunkByLines } from './batching.js';
import { type LeasedOffset, lockLeased, releaseLeases, tokensOf } from './lease.js';
import { appendToLedger } from './ledger.js';
import { completedOutcomes, failedOutcomes, secondsBetween } from './outcomes.js';
import { releaseReservations, replaceReservations, takeReservations } from './reservations.js';
import { WakeSignals } from './wake-signal.js';

/** What a registry answered about a claimed offset. */
export interface AnsweredOffset extends LeasedOffset {
  readonly answer: RegistryAnswer;
  /** How many lines are written when the answer is recorded. */
  readonly lines: number;
}

type Answered<Outcome extends RegistryAnswer['outcome']> = LeasedOffset & {
  readonly answer: Extract<RegistryAnswer, { readonly outcome: Outcome }>;
};

/** Writes answers in one transaction; returns how many of their offsets still had their lease, and their moves. */
type Write<T> = (query: Query, answered: readonly T[]) => Promise<{ leased: number; moves: readonly Move[] }>;

/** Records the answers of a registry: `processing → completed | failed`, or due again where the outcome is unknown. */
@Injectable()
export class AnswerRecorder {
  private readonly logger = new Logger(AnswerRecorder.name);

  constructor(
    private readonly database: Database,
    private readonly signals: WakeSignals,
    private readonly metrics?: ProgressNumbers,
  ) {}

  /** Records answers about offsets that still have their lease; the others belong to another worker. */
  async run(answered: readonly AnsweredOffset[]): Promise<void> {
    for (const chunk of chunkByLines(answered)) await this.record(chunk);
  }

  private async record(answered: readonly AnsweredOffset[]): Promise<void> {
    const [retired, refused] = [withOutcome(answered, 'retired'), withOutcome(answered, 'refused')];
    for (const { offset, answer } of retired) {
      if (answer.lines) this.logger.warn('The lines that the registry had retired are adopted.', { id: offset });
    }
    await this.inHalves(retired, completeReserved);
    await this.inHalves(refused, failReserved);
    await this.inHalves(withOutcome(answered, 'unknown'), retryLater);
    if (retired.length + refused.length > 0) this.signals.decided.notify();
  }

  /**
   * Writes all in one transaction. If that fails because of a row, or is too much at once, the offsets are halved until the one that
   * fails is alone: it keeps its lease, to be tried again later, and the others are written.
   */
  private async inHalves<T extends LeasedOffset>(answered: readonly T[], write: Write<T>): Promise<void> {
    if (answered.length === 0) return;
    try {
      const { leased, moves } = await this.database.transaction((query) => write(query, answered));
      this.metrics?.moved(moves);
      const count = answered.length - leased;
      if (count > 0) this.logger.warn('Answers came after the lease of their offsets had ended.', { count });
    } catch (error) {
      if (error instanceof TransientError && !(isTooMuch(error) && answered.length > 1)) throw error;
      if (answered.length === 1) {
        this.logger.error('An answer cannot be recorded; it is tried again.', error, { id: answered[0]?.offset });
        return;
      }
      const middle = answered.length >> 1;
      await this.inHalves(answered.slice(0, middle), write);
      await this.inHalves(answered.slice(middle), write);
    }
  }
}

function withOutcome<O extends RegistryAnswer['outcome']>(answered: readonly AnsweredOffset[], outcome: O) {
  return answered.filter((one): one is AnsweredOffset & Answered<O> => one.answer.outcome === outcome);
}

const idsOf = (answered: readonly LeasedOffset[]) => answered.map(({ offset }) => offset);

type MovedOffset = StoredOffset & { readonly at: Date; readonly since: Date };
const MOVED_COLUMNS = `${OFFSET_COLUMNS}, offsets.updated_at AS at, coalesce(old.processing_at, old.updated_at) AS since`;

/** Writes ledger, supply, row and event of each offset. The offsets are locked before the supply, as by every writer. */
async function completeReserved(query: Query, retired: readonly Answered<'retired'>[]) {
  await adoptLines(query, retired);
  const moved = await query<MovedOffset>(
    `UPDATE offsets SET ${moveTo('processing', 'completed')}, lease_token = NULL, lease_until = NULL
     WHERE id = ANY ($1) AND lease_token = ANY ($2) RETURNING ${MOVED_COLUMNS}`,
    [idsOf(retired), tokensOf(retired)],
  );
  const [first] = moved;
  if (first === undefined) return { leased: 0, moves: [] };
  const rows = moved.map(toOffsetRow);
  const references = new Map(
    retired.flatMap(({ offset, answer: { reference } }) => (reference === undefined ? [] : [[offset, reference]])),
  );
  const lines = await takeReservations(
    query,
    rows.map(({ id }) => id),
  );
  const entries = await appendToLedger(query, { lines, at: first.at, areReserved: true, references });
  await addToOutbox(query, completedOutcomes(rows, entries, first.at, references));
  return { leased: rows.length, moves: moved.map((row) => moveOf(row, 'completed')) };
}

/** Takes over the lines that the registry has retired instead of the reserved ones, and their cost, after a restore. */
async function adoptLines(query: Query, retired: readonly Answered<'retired'>[]): Promise<void> {
  const adopted = retired.filter(({ answer }) => answer.lines !== undefined);
  if (adopted.length === 0) return;
  const leased = new Set(await lockLeased(query, adopted));
  const own = adopted.filter(({ offset }) => leased.has(offset));
  await replaceReservations(
    query,
    own.flatMap(({ offset, answer }) => (answer.lines ?? []).map((line) => ({ ...line, offset }))),
  );
  await query(
    `UPDATE offsets SET cost_micros = adopted.cost
     FROM unnest($1::text[], $2::numeric[]) AS adopted (id, cost) WHERE offsets.id = adopted.id`,
    [idsOf(own), own.map(({ answer }) => costOf(answer.lines ?? []))],
  );
}

/** Moves refused offsets to `failed`, releases their reservations and writes the events that say why. */
async function failReserved(query: Query, refused: readonly Answered<'refused'>[]) {
  const ids = await lockLeased(query, refused);
  if (ids.length === 0) return { leased: 0, moves: [] };
  await releaseReservations(query, ids);
  const failures = new Map(
    refused.map(({ offset, answer: { detail } }) => [offset, { code: 'registry_refused', detail } as const]),
  );
  const moved = await query<MovedOffset>(
    `UPDATE offsets SET ${moveTo('processing', 'failed')}, cost_micros = NULL,
       failure_code = 'registry_refused', failure_detail = failed.detail, lease_token = NULL, lease_until = NULL
     FROM unnest($1::text[], $2::text[]) AS failed (id, detail) WHERE offsets.id = failed.id RETURNING ${MOVED_COLUMNS}`,
    [ids, ids.map((id) => failures.get(id)?.detail)],
  );
  const events = moved.flatMap((row) => {
    const offset: OffsetRow = { ...toOffsetRow(row), failure: failures.get(row.id) ?? null };
    return failedOutcomes([offset], row.at);
  });
  await addToOutbox(query, events);
  return { leased: ids.length, moves: moved.map((row) => moveOf(row, 'failed', 'registry_refused')) };
}

async function retryLater(query: Query, unknown: readonly Answered<'unknown'>[]) {
  const waiting = unknown.map(({ offset, token, answer }) => ({ offset, token, waitMs: answer.waitMs ?? 0 }));
  return { leased: await releaseLeases(query, waiting), moves: [] };
}

function moveOf({ at, since, createdAt }: MovedOffset, to: Move['to'], code?: string): Move {
  const times = { seconds: secondsBetween(since, at), sinceAccepted: secondsBetween(createdAt, at) };
  return { from: 'processing', to, ...times, ...(code !== undefined && { code }) };
}
