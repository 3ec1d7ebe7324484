import { setTimeout as sleep } from 'node:timers/promises';
import type { KafkaHandle } from '@carbon/messaging';
import { Injectable, Logger } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { MAX_PUBLISH_DELAY_MS } from '../fulfillment/lease.js';
import { KafkaClientFactory, RecoveryOverrides } from '../infrastructure.module.js';
import { BatchSize } from '../persistence/batch-size.js';
import { Database, type Query } from '../persistence/database.js';
import type { DatabaseState } from '../persistence/fence.js';
import { readOutcomePositions } from '../persistence/outcome-positions.js';
import { applyLines, FIRST_LINE } from './apply-ledger.js';
import { APPLIED_TYPES, applyOutcomes } from './apply-offsets.js';
import { publishedOutcome, requireAgreement } from './compare-outcomes.js';
import { type OutcomeRange, outcomeRanges, storeEnds } from './outcome-ranges.js';
import { readOutcomes } from './outcomes.js';
import { RecoveryStopped } from './process-exit.js';
import { type RecoveryLease, renewLease, takeLease, whileRenewing } from './recovery-lease.js';
import { stageOutcomes } from './stage-outcomes.js';

/** How long after its last byte was written a request may still reach a broker. */
const IN_FLIGHT_MS = 15_000;
/** After this time (26 s) no event of a process with an older fence can reach Kafka. */
export const LAST_SEND_MS = MAX_PUBLISH_DELAY_MS + IN_FLIGHT_MS;
/** Offsets that one transaction applies at most. */
const MAX_APPLIED = 500;
/** Rows of a staging table that one statement deletes at most. */
const MAX_DELETED = 5_000;

/**
 * Restores outcomes from Kafka in an older database. Every step can be repeated. Outcomes are applied, and staged rows deleted, in
 * smaller batches after a statement took too long, because an outcome may have thousands of lines.
 */
@Injectable()
export class Recovery {
  private readonly logger = new Logger(Recovery.name);
  private readonly applied = new BatchSize(MAX_APPLIED);
  private readonly deleted = new BatchSize(MAX_DELETED);

  private readonly kafka: KafkaHandle;
  private readonly lastSendMs: number;

  constructor(
    private readonly database: Database,
    kafka: KafkaClientFactory,
    { lastSendMs = LAST_SEND_MS }: RecoveryOverrides,
  ) {
    this.kafka = kafka.create();
    this.lastSendMs = lastSendMs;
  }

  /** Recovers, unless another process does or has since `seen`. @throws RecoveryStopped where an operator must decide */
  async run(seen: DatabaseState, stopping: AbortSignal): Promise<void> {
    const lease = await takeLease(this.database.query, seen);
    if (lease === undefined) {
      this.logger.warn('PostgreSQL lacks published outcomes; another process recovers them.');
      return;
    }
    this.logger.warn('PostgreSQL lacks published outcomes; they are recovered from Kafka.');
    try {
      await whileRenewing(this.database, lease, () => this.recover(lease, stopping));
    } catch (error) {
      if (error instanceof QueryFailedError) throw refusedByDatabase(error);
      throw error;
    }
  }

  private async recover(lease: RecoveryLease, stopping: AbortSignal): Promise<void> {
    const step = <T>(work: (query: Query) => Promise<T>) => this.step(lease, stopping, work);
    await this.awaitLastSend(stopping);
    const ranges = await outcomeRanges(this.kafka, await readOutcomePositions(this.database.query));
    const compared = await this.stage(ranges, step);
    await untilUndefined(FIRST_LINE, (after) => step((query) => applyLines(query, after)));
    for (const type of APPLIED_TYPES)
      await untilUndefined('', (after) =>
        this.applied.retrySmaller((limit) => step((query) => applyOutcomes(query, type, after, limit))),
      );
    for (const table of ['recovered_lines', 'recovered_outcomes']) {
      const sql = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} LIMIT $1)) RETURNING true AS deleted`;
      const deleteSome = async (limit: number) => (await step((query) => query(sql, [limit]))).length === limit;
      while (await this.deleted.retrySmaller(deleteSome));
    }
    await step((query) => finish(query, lease, ranges));
    this.logger.log('The outcomes that PostgreSQL lacked are recovered.', { count: compared });
  }

  /** By the database's clock, so that a process that continues a recovery does not wait once more. */
  private async awaitLastSend(stopping: AbortSignal): Promise<void> {
    const [left] = await this.database.query<{ ms: number }>(
      `SELECT $1 - extract(epoch FROM now() - recovering_since)::double precision * 1000 AS ms FROM database_state`,
      [this.lastSendMs],
    );
    await sleep(Math.max(0, left?.ms ?? this.lastSendMs), undefined, { signal: stopping });
  }

  /** Returns the number of outcomes. Compares them before anything is applied, because ledger entries cannot be removed again. */
  private async stage(
    ranges: readonly OutcomeRange[],
    step: (work: (query: Query) => Promise<void>) => Promise<void>,
  ): Promise<number> {
    let count = 0;
    await readOutcomes(this.kafka, ranges, async (outcomes) => {
      await step(async (query) => {
        await stageOutcomes(query, outcomes);
        await requireAgreement(query, outcomes.map(publishedOutcome));
      });
      count += outcomes.length;
      return undefined;
    });
    return count;
  }

  /** Runs a transaction, which changes nothing when the lease is lost. */
  private step<T>(lease: RecoveryLease, stopping: AbortSignal, work: (query: Query) => Promise<T>): Promise<T> {
    stopping.throwIfAborted();
    return this.database.transaction(async (query) => {
      await renewLease(query, lease);
      return work(query);
    });
  }
}

/** Calls `next` with what it returned, until it returns undefined. */
async function untilUndefined<T>(first: T, next: (after: T) => Promise<T | undefined>): Promise<void> {
  for (let place: T | undefined = first; place !== undefined; ) place = await next(place);
}

/** Ends the recovery: from here on processes may verify this database. */
async function finish(query: Query, lease: RecoveryLease, ranges: readonly OutcomeRange[]): Promise<void> {
  await query(
    `UPDATE database_state SET recovering = false, recovering_since = NULL, recovered_at = now(), recovery_token = NULL,
       recovery_until = NULL
     WHERE single`,
  );
  await storeEnds(query, lease, ranges);
}

function refusedByDatabase(error: QueryFailedError): RecoveryStopped {
  const { detail } = error.driverError as Error & { detail?: unknown };
  return new RecoveryStopped(
    `PostgreSQL refuses what was published: ${error.message}${typeof detail === 'string' ? ` (${detail})` : ''}. Nothing of ` +
      'it is changed; see docs/restore.md.',
    { cause: error },
  );
}
