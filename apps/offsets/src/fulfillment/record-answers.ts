import { TransientError } from '@carbon/http';
import { Injectable, Logger } from '@nestjs/common';
import { costOf } from '../domain/allocation.js';
import { chunkByLines } from '../domain/line.js';
import type { OffsetRow } from '../domain/offset-row.js';
import { OffsetMetrics, type StatusChange } from '../metrics/offset-metrics.js';
import { Database, type Query } from '../persistence/database.js';
import { isBatchTooLarge } from '../persistence/database-errors.js';
import { updateOffsets } from '../persistence/offset-rows.js';
import type { RegistryAnswer } from '../registry/registry.js';
import { type LeasedOffset, lockLeased, releaseLeases } from './lease.js';
import { releaseReservations, replaceReservations, takeReservations } from './reservations.js';
import { WakeSignals } from './wake-signal.js';
import { failOffsets, finalStatusChange, writeCompletion } from './write-outcomes.js';

/** A registry's answer about a claimed offset. */
export interface AnsweredOffset extends LeasedOffset {
  readonly answer: RegistryAnswer;
  /** How many lines are written when the answer is recorded. */
  readonly lines: number;
}

type WithOutcome<Outcome extends RegistryAnswer['outcome']> = LeasedOffset & {
  readonly answer: Extract<RegistryAnswer, { readonly outcome: Outcome }>;
};

/** Writes answers in one transaction; returns how many of their offsets still had their lease, and their status changes. */
type Write<T> = (
  query: Query,
  answered: readonly T[],
) => Promise<{ leased: number; statusChanges: readonly StatusChange[] }>;

/** Records the answers of a registry: `processing → completed | failed`, or due again where the outcome is unknown. */
@Injectable()
export class AnswerRecorder {
  private readonly logger = new Logger(AnswerRecorder.name);

  constructor(
    private readonly database: Database,
    private readonly signals: WakeSignals,
    private readonly metrics?: OffsetMetrics,
  ) {}

  /** Records answers about offsets that still have their lease; the others belong to another worker. */
  async run(answered: readonly AnsweredOffset[]): Promise<void> {
    for (const chunk of chunkByLines(answered)) await this.record(chunk);
  }

  private async record(answered: readonly AnsweredOffset[]): Promise<void> {
    const [retired, refused] = [withOutcome(answered, 'retired'), withOutcome(answered, 'refused')];
    for (const { offset, answer } of retired) {
      if (answer.lines) this.logger.warn('The lines that the registry retired were adopted.', { id: offset });
    }
    await this.writeIsolatingFailures(retired, completeReserved);
    await this.writeIsolatingFailures(refused, failReserved);
    await this.writeIsolatingFailures(withOutcome(answered, 'unknown'), retryLater);
    if (retired.length + refused.length > 0) this.signals.decided.notify();
  }

  /**
   * Writes all in one transaction. If that fails because of a row, or is too much at once, the offsets are halved until the one that
   * fails is alone: it keeps its lease, to be tried again later, and the others are written.
   */
  private async writeIsolatingFailures<T extends LeasedOffset>(answered: readonly T[], write: Write<T>): Promise<void> {
    if (answered.length === 0) return;
    try {
      const { leased, statusChanges } = await this.database.transaction((query) => write(query, answered));
      this.metrics?.countStatusChanges(statusChanges);
      const count = answered.length - leased;
      if (count > 0) this.logger.warn('Answers arrived after the lease of their offsets had expired.', { count });
    } catch (error) {
      if (error instanceof TransientError && !(isBatchTooLarge(error) && answered.length > 1)) throw error;
      if (answered.length === 1) {
        this.logger.error('An answer cannot be recorded; recording is retried.', error, { id: answered[0]?.offset });
        return;
      }
      const middle = answered.length >> 1;
      await this.writeIsolatingFailures(answered.slice(0, middle), write);
      await this.writeIsolatingFailures(answered.slice(middle), write);
    }
  }
}

function withOutcome<O extends RegistryAnswer['outcome']>(answered: readonly AnsweredOffset[], outcome: O) {
  return answered.filter((one): one is AnsweredOffset & WithOutcome<O> => one.answer.outcome === outcome);
}

/** Writes ledger, supply, row and event of each offset. The offsets are locked before the supply, as by every writer. */
async function completeReserved(query: Query, retired: readonly WithOutcome<'retired'>[]) {
  const answers = new Map(retired.map(({ offset, answer }) => [offset, answer]));
  const leased = await lockLeased(query, retired);
  if (leased.length === 0) return { leased: 0, statusChanges: [] };
  const rows = leased.map((row) => {
    const adopted = answers.get(row.id)?.lines;
    return adopted ? { ...row, costMicros: costOf(adopted) } : row;
  });
  const ids = rows.map(({ id }) => id);
  // After a restore, the registry may have retired other lines than are reserved now.
  const adopted = ids.flatMap((id) => (answers.get(id)?.lines ?? []).map((line) => ({ ...line, offset: id })));
  await replaceReservations(query, adopted, ids);
  const at = await updateOffsets(query, ['processing', 'completed'], rows);
  const lines = await takeReservations(query, ids);
  const references = new Map(ids.map((id) => [id, answers.get(id)?.reference]));
  await writeCompletion(query, { rows, at, lines, areReserved: true, references });
  return {
    leased: rows.length,
    statusChanges: rows.map((row) => finalStatusChange(row, 'processing', 'completed', at)),
  };
}

/** Moves refused offsets to `failed`, releases their reservations and writes the events that say why. */
async function failReserved(query: Query, refused: readonly WithOutcome<'refused'>[]) {
  const details = new Map(refused.map(({ offset, answer }) => [offset, answer.detail]));
  const leased = await lockLeased(query, refused);
  const rows = leased.map((row): OffsetRow => {
    const failure = { code: 'registry_refused', detail: details.get(row.id) ?? '' } as const;
    return { ...row, costMicros: null, failure };
  });
  await releaseReservations(
    query,
    rows.map(({ id }) => id),
  );
  return { leased: rows.length, statusChanges: await failOffsets(query, 'processing', rows) };
}

async function retryLater(query: Query, unknown: readonly WithOutcome<'unknown'>[]) {
  const waiting = unknown.map(({ offset, token, answer }) => ({ offset, token, waitMs: answer.waitMs ?? 0 }));
  return { leased: await releaseLeases(query, waiting), statusChanges: [] };
}
