import { setTimeout as sleep } from 'node:timers/promises';
import type { KafkaHandle } from '@carbon/messaging';
import { Logger } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { LEAVES_WITHIN_MS } from '../fulfillment/lease.js';
import type { Database, Query } from '../persistence/database.js';
import type { DatabaseState } from '../persistence/fence.js';
import { readPositions } from '../persistence/outcome-positions.js';
import { applyLines, FIRST_LINE, type LinePlace } from './apply-ledger.js';
import { APPLIED_TYPES, applyOutcomes, mustAgree } from './apply-offsets.js';
import { type OutcomeRange, outcomeRanges } from './outcome-ranges.js';
import { readOutcomes } from './read-outcomes.js';
import { mustHoldLease, type RecoveryLease, takeLease, whileRenewing } from './recovery-lease.js';
import { RecoveryStopped } from './recovery-stopped.js';
import { stageOutcomes } from './stage-outcomes.js';
import { storeEnds } from './store-ends.js';

/** For how long after its last byte was written a request may be on its way to a broker. */
const UNDER_WAY_MS = 15_000;
/** After this (26 s) nothing that a process of the old era was given can still reach Kafka. */
export const LAST_SEND_MS = LEAVES_WITHIN_MS + UNDER_WAY_MS;
/** Rows of the staging tables that one statement deletes. */
const CLEARED = 5_000;

/** Brings outcomes that Kafka holds back into a database that is older. Every step can be repeated. */
export class Recovery {
  private readonly logger = new Logger(Recovery.name);

  constructor(
    private readonly database: Database,
    private readonly kafka: KafkaHandle,
    private readonly lastSendMs = LAST_SEND_MS,
  ) {}

  /** Does all of it, unless another process does, or has since the database was `seen`. @throws RecoveryStopped where a person must decide */
  async run(seen: DatabaseState, stopping: AbortSignal): Promise<void> {
    const lease = await takeLease(this.database.query, seen);
    if (lease === undefined) {
      this.logger.warn('PostgreSQL lacks outcomes that were announced; another process recovers them.');
      return;
    }
    this.logger.warn('PostgreSQL lacks outcomes that were announced; they are recovered from Kafka.');
    try {
      await whileRenewing(this.database, lease, () => this.recover(lease, stopping));
    } catch (error) {
      if (error instanceof QueryFailedError) throw refused(error);
      throw error;
    }
  }

  private async recover(lease: RecoveryLease, stopping: AbortSignal): Promise<void> {
    await this.awaitLastSend(stopping);
    const ranges = await outcomeRanges(this.kafka, await readPositions(this.database.query));
    const staged = await this.stage(lease, ranges, stopping);
    for (let last: LinePlace | undefined = FIRST_LINE; last !== undefined; ) {
      const after: LinePlace = last;
      last = await this.step(lease, stopping, (query) => applyLines(query, after));
    }
    for (const type of APPLIED_TYPES) {
      for (let last: string | undefined = ''; last !== undefined; ) {
        const after: string = last;
        last = await this.step(lease, stopping, (query) => applyOutcomes(query, type, after));
      }
    }
    await this.clear(lease, stopping);
    await this.step(lease, stopping, (query) => finish(query, lease, ranges));
    this.logger.log('The outcomes that PostgreSQL lacked are recovered.', { compared: staged });
  }

  /** By the database's clock, so that a process that goes on with a recovery does not wait once more. */
  private async awaitLastSend(stopping: AbortSignal): Promise<void> {
    const [left] = await this.database.query<{ ms: number }>(
      `SELECT $1 - extract(epoch FROM now() - recovering_since)::double precision * 1000 AS ms FROM database_state`,
      [this.lastSendMs],
    );
    await sleep(Math.max(0, left?.ms ?? this.lastSendMs), undefined, { signal: stopping });
  }

  private async stage(lease: RecoveryLease, ranges: readonly OutcomeRange[], stopping: AbortSignal): Promise<number> {
    let count = 0;
    await readOutcomes(this.kafka, ranges, async (outcomes) => {
      await this.step(lease, stopping, async (query) => {
        await stageOutcomes(query, outcomes);
        // Before anything is applied: the ledger comes first, and would keep the entries of what is refused later.
        await mustAgree(
          query,
          outcomes.map(({ eventId }) => eventId),
        );
      });
      count += outcomes.length;
      return undefined;
    });
    return count;
  }

  private async clear(lease: RecoveryLease, stopping: AbortSignal): Promise<void> {
    for (const table of ['recovered_lines', 'recovered_outcomes']) {
      let gone = CLEARED;
      while (gone === CLEARED) {
        const sql = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} LIMIT ${CLEARED})) RETURNING true AS gone`;
        gone = (await this.step(lease, stopping, (query) => query(sql))).length;
      }
    }
  }

  /** One transaction, which changes nothing when the lease is lost. */
  private step<T>(lease: RecoveryLease, stopping: AbortSignal, work: (query: Query) => Promise<T>): Promise<T> {
    stopping.throwIfAborted();
    return this.database.transaction(async (query) => {
      await mustHoldLease(query, lease);
      return work(query);
    });
  }
}

/** Ends the era: from here on processes may verify this database. */
async function finish(query: Query, lease: RecoveryLease, ranges: readonly OutcomeRange[]): Promise<void> {
  await query(
    `UPDATE database_state SET recovering = false, recovering_since = NULL, recovered_at = now(), recovery_token = NULL,
       recovery_until = NULL
     WHERE single`,
  );
  await storeEnds(query, lease, ranges);
}

function refused(error: QueryFailedError): RecoveryStopped {
  const { detail } = error.driverError as Error & { detail?: unknown };
  return new RecoveryStopped(
    `PostgreSQL refuses what was announced: ${error.message}${typeof detail === 'string' ? ` (${detail})` : ''}. Nothing of ` +
      'it is changed; see docs/restore.md.',
    { cause: error },
  );
}
