import { randomUUID } from 'node:crypto';
import { type OutcomeTopic, topicOf } from '@carbon/contracts';
import { jsonEventMessage, PRODUCER_LIMITS, type RecordPosition, SelfClockedProducer } from '@carbon/messaging';
import { Injectable, Logger } from '@nestjs/common';
import { isStale, MAX_PUBLISH_DELAY_MS, withLease } from '../fulfillment/lease.js';
import { OffsetMetrics } from '../metrics/offset-metrics.js';
import { BatchSize, splitIfTooLarge } from '../persistence/batch-size.js';
import { Database } from '../persistence/database.js';
import { OutcomePositions } from '../persistence/outcome-positions.js';
import { claimRows, type LeasedRows, markPublished, type OutboxRow } from './outbox-rows.js';

/** A row whose event Kafka has confirmed. */
interface ConfirmedRow extends RecordPosition {
  readonly row: OutboxRow;
  readonly topic: OutcomeTopic;
}

const MAX_BATCH_SIZE = 500;
/** How long rows of other processes may wait while this process has rows of its own. */
const CLAIM_EVERY_MS = 250;
/** In addition to the transaction in progress. */
const MAX_QUEUED = 3;

/**
 * Hands committed rows to the relay of the same process, which saves claiming and reading them. They are leased from the start; when
 * the process dies, another relay claims them once the lease has expired.
 */
@Injectable()
export class RelayQueue {
  private readonly queue: LeasedRows[] = [];

  /** Returns a token for the lease of the next rows; undefined while the queue is full. */
  leaseToken(): string | undefined {
    return this.queue.length < MAX_QUEUED ? randomUUID() : undefined;
  }

  /** Adds rows that are committed. */
  push(leased: LeasedRows): void {
    if (leased.rows.length > 0) this.queue.push(leased);
  }

  /** Removes and returns the oldest rows whose lease is fresh enough to publish. */
  shift(): LeasedRows | undefined {
    for (let leased = this.queue.shift(); leased !== undefined; leased = this.queue.shift()) {
      if (!isStale(leased.since)) return leased;
    }
    return undefined;
  }
}

/**
 * Publishes the rows of the outbox. Any number of relays may run: each leases rows, publishes them outside of a
 * transaction, and marks those that Kafka confirmed. When a relay dies, another one publishes its rows, so an event may
 * be published twice under one id.
 */
@Injectable()
export class OutboxRelay {
  private readonly logger = new Logger(OutboxRelay.name);
  private readonly size = new BatchSize(MAX_BATCH_SIZE);
  private nextClaim = 0;

  constructor(
    private readonly database: Database,
    private readonly publisher: SelfClockedProducer,
    private readonly metrics: OffsetMetrics,
    private readonly queue: RelayQueue,
    private readonly positions: OutcomePositions,
  ) {}

  /**
   * Publishes queued rows. If there are none, or the last claim is at least CLAIM_EVERY_MS ago, also claims rows and
   * publishes them. Returns whether there may be more.
   */
  async run(): Promise<boolean> {
    const queued = this.queue.shift();
    const more = queued !== undefined && (await this.relay(queued));
    if (queued !== undefined && performance.now() < this.nextClaim) return more;
    const fence = this.database.fence.required();
    const token = randomUUID();
    const since = performance.now();
    const { rows, isLast } = await this.size.withCurrentSize((limit) => claimRows(this.database.query, token, limit));
    this.nextClaim = performance.now() + CLAIM_EVERY_MS;
    if (rows.length === 0) return more;
    this.metrics.countExpiredLeases('outbox', rows.filter(({ reclaimed }) => reclaimed).length);
    return ((await this.relay({ fence, token, since, rows })) && !isLast) || more;
  }

  /**
   * Publishes queued rows before the process ends: they would otherwise wait until their lease expires. Stops at the
   * first failure.
   */
  async finish(): Promise<void> {
    try {
      for (let leased = this.queue.shift(); leased !== undefined; leased = this.queue.shift()) {
        if (!(await this.relay(leased))) return;
      }
    } catch (error) {
      this.logger.warn('Queued events are left to another relay.', error);
    }
  }

  /**
   * Returns whether Kafka confirmed all. Skips rows of another database, which may lack them, and of a lease that is
   * too old to publish.
   */
  private async relay(leased: LeasedRows): Promise<boolean> {
    const { fence, token, since, rows } = leased;
    if (this.database.fence.required() !== fence || isStale(since)) return false;
    const ids = rows.map(({ event_id }) => event_id);
    const confirmed = await withLease(this.database.urgent, 'outbox', token, ids, () => this.publish(leased));
    await splitIfTooLarge(confirmed, (some) => this.mark(leased, some));
    return confirmed.length === rows.length;
  }

  private async mark({ fence, token }: LeasedRows, confirmed: readonly ConfirmedRow[]): Promise<void> {
    const reached = this.positions.after(confirmed);
    const rows = confirmed.map(({ row }) => row);
    await markPublished(this.database.query, { fence, token, rows }, reached, this.positions.stored);
    this.positions.add(reached);
  }

  /** Returns the rows that Kafka confirmed. The others stay leased and are claimed again once the lease has expired. */
  private async publish({ rows, since }: LeasedRows): Promise<ConfirmedRow[]> {
    const leftMs = () =>
      Math.max(1, Math.min(PRODUCER_LIMITS.deadlineMs, since + MAX_PUBLISH_DELAY_MS - performance.now()));
    const outcomes = await Promise.allSettled(
      rows.map((row) => this.publisher.publish(messageOf(row), { deadlineMs: leftMs() })),
    );
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
    if (failed.length > 0) this.logger.warn(`${failed.length} events wait for Kafka.`, { err: failed[0]?.reason });
    return rows.flatMap((row, index) => {
      const outcome = outcomes[index];
      return outcome?.status === 'fulfilled' ? [{ row, topic: topicOf(row.type), ...outcome.value }] : [];
    });
  }
}

function messageOf({ event_id, offset_id, type, payload, traceparent, created_at }: OutboxRow) {
  return jsonEventMessage(type, payload, {
    id: event_id,
    source: '/offsets',
    subject: offset_id,
    time: created_at.toISOString(),
    traceparent: traceparent ?? undefined,
  });
}
