import { randomUUID } from 'node:crypto';
import { jsonEventMessage, PRODUCER_LIMITS, Publisher, type RecordPosition } from '@carbon/messaging';
import { Injectable, Logger } from '@nestjs/common';
import { holding, isStale, LEAVES_WITHIN_MS } from '../fulfillment/lease.js';
import { ProgressNumbers } from '../metrics/progress-numbers.js';
import { BatchSize, inHalves } from '../persistence/batch-size.js';
import { Database } from '../persistence/database.js';
import type { Fence } from '../persistence/fence.js';
import { KnownPositions, type OutcomeTopic } from '../persistence/outcome-positions.js';
import { BATCH, claimEvents } from './claim-events.js';
import { FreshEvents, type Lot } from './fresh-events.js';
import { markAnnounced } from './mark-announced.js';
import type { WrittenEvent } from './outbox.js';

/** An event that Kafka has. */
interface ConfirmedEvent extends RecordPosition {
  readonly event: WrittenEvent;
  readonly topic: OutcomeTopic;
}

/** How long what others left may wait while there is something fresh. */
const LOOK_EVERY_MS = 250;

/**
 * Publishes what the outbox holds, whoever wrote it. There may be any number of relays: each claims rows under a lease,
 * publishes them outside of any transaction, and marks those that Kafka confirmed. One that dies in between leaves its
 * rows to the next relay, so an event may be published again, as the same event.
 */
@Injectable()
export class RelayEvents {
  private readonly logger = new Logger(RelayEvents.name);
  private readonly size = new BatchSize(BATCH);
  private nextLook = 0;

  constructor(
    private readonly database: Database,
    private readonly publisher: Publisher,
    private readonly numbers?: ProgressNumbers,
    private readonly fresh: FreshEvents = new FreshEvents(),
    private readonly positions: KnownPositions = new KnownPositions(),
  ) {}

  /**
   * One batch: what this process has just written down, and, when there is nothing of that, or has been for a while, what is
   * found in the outbox. Says whether there may be more.
   */
  async run(): Promise<boolean> {
    const lot = this.fresh.take();
    const more = lot !== undefined && (await this.relay(lot));
    if (lot !== undefined && performance.now() < this.nextLook) return more;
    const fence = this.database.fence.required();
    const token = randomUUID();
    const since = performance.now();
    const { events, isAll } = await this.size.fitting((most) => claimEvents(this.database.query, token, most));
    this.nextLook = performance.now() + LOOK_EVERY_MS;
    if (events.length === 0) return more;
    this.numbers?.tookOver('outbox', events.filter(({ taken_over }) => taken_over).length);
    return ((await this.relay({ fence, token, since, events })) && !isAll) || more;
  }

  /** At the end of the process: what it has in hand would else wait for its lease to run out. Gives up at the first failure. */
  async finish(): Promise<void> {
    try {
      for (let lot = this.fresh.take(); lot !== undefined; lot = this.fresh.take()) {
        if (!(await this.relay(lot))) return;
      }
    } catch (error) {
      this.logger.warn('Events in hand are left to another relay.', error);
    }
  }

  /**
   * Whether Kafka confirmed all of them. What a database of before held is not announced: this one may lack it. What is
   * stale is left to whoever finds it when its lease has run out.
   */
  private async relay({ fence, token, since, events }: Lot): Promise<boolean> {
    if (this.database.fence.required() !== fence || isStale(since)) return false;
    const ids = events.map(({ event_id }) => event_id);
    const confirmed = await holding(this.database.urgent, 'outbox', token, ids, () => this.publish(events, since));
    await inHalves(confirmed, (some) => this.mark(fence, token, some));
    return confirmed.length === events.length;
  }

  private async mark(fence: Fence, token: string, confirmed: readonly ConfirmedEvent[]): Promise<void> {
    const reached = { fence, positions: this.positions.after(confirmed), known: this.positions.all };
    const events = confirmed.map(({ event }) => event);
    await markAnnounced(this.database.query, token, events, reached);
    this.positions.add(reached.positions);
  }

  /** The events that Kafka confirmed. The others stay claimed until their lease runs out, then come again. */
  private async publish(events: readonly WrittenEvent[], since: number): Promise<ConfirmedEvent[]> {
    const leftMs = () =>
      Math.max(1, Math.min(PRODUCER_LIMITS.deadlineMs, since + LEAVES_WITHIN_MS - performance.now()));
    const outcomes = await Promise.allSettled(
      events.map((event) => this.publisher.publish(messageOf(event), { deadlineMs: leftMs() })),
    );
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
    if (failed.length > 0) this.logger.warn(`${failed.length} events wait for Kafka.`, { err: failed[0]?.reason });
    return events.flatMap((event, place) => {
      const outcome = outcomes[place];
      return outcome?.status === 'fulfilled' ? [{ event, topic: topicOf(event.type), ...outcome.value }] : [];
    });
  }
}

function topicOf(type: WrittenEvent['type']): OutcomeTopic {
  return type === 'offset.completed.v1' ? 'offset.completed' : 'offset.failed';
}

function messageOf({ event_id, offset_id, type, payload, traceparent, created_at }: WrittenEvent) {
  return jsonEventMessage(type, payload, {
    id: event_id,
    source: '/offsets',
    subject: offset_id,
    time: created_at.toISOString(),
    traceparent: traceparent ?? undefined,
  });
}
