import { randomUUID } from 'node:crypto';
import { Publisher, writtenEvent } from '@carbon/messaging';
import { Injectable, Logger } from '@nestjs/common';
import { ProgressNumbers } from '../metrics/progress-numbers.js';
import { FreshEvents, type Lot } from '../pace/fresh-events.js';
import { BatchSize, inHalves } from '../persistence/batch-size.js';
import { Database } from '../persistence/database.js';
import { holding } from '../persistence/lease.js';
import type { WrittenEvent } from '../persistence/outbox.js';
import { BATCH, claimEvents } from './claim-events.js';
import { markAnnounced } from './mark-announced.js';

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
  ) {}

  /**
   * One batch: what this process has just written down, and, when there is nothing of that, or has been for a while, what is
   * found in the outbox. Says whether there may be more.
   */
  async run(): Promise<boolean> {
    const lot = this.fresh.take();
    const more = lot !== undefined && (await this.relay(lot));
    if (lot !== undefined && performance.now() < this.nextLook) return more;
    const token = randomUUID();
    const { events, isAll } = await this.size.fitting((most) => claimEvents(this.database.query, token, most));
    this.nextLook = performance.now() + LOOK_EVERY_MS;
    if (events.length === 0) return more;
    this.numbers?.tookOver('outbox', events.filter(({ taken_over }) => taken_over).length);
    return ((await this.relay({ token, events })) && !isAll) || more;
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

  /** Whether Kafka confirmed all of them. */
  private async relay({ token, events }: Lot): Promise<boolean> {
    const ids = events.map(({ event_id }) => event_id);
    const confirmed = await holding(this.database.urgent, 'outbox', token, ids, () => this.publish(events));
    await inHalves(confirmed, (some) => markAnnounced(this.database.query, token, some));
    return confirmed.length === events.length;
  }

  /** The ids of the events that Kafka confirmed. The others stay claimed until their lease runs out, then come again. */
  private async publish(events: readonly WrittenEvent[]): Promise<string[]> {
    const outcomes = await Promise.allSettled(events.map((event) => this.publisher.publish(messageOf(event))));
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
    if (failed.length > 0) this.logger.warn(`${failed.length} events wait for Kafka.`, { err: failed[0]?.reason });
    return events.flatMap(({ event_id }, place) => (outcomes[place]?.status === 'fulfilled' ? [event_id] : []));
  }
}

function messageOf({ event_id, offset_id, type, payload, traceparent, created_at }: WrittenEvent) {
  return writtenEvent(type, payload, {
    id: event_id,
    source: '/offsets',
    subject: offset_id,
    time: created_at.toISOString(),
    traceparent: traceparent ?? undefined,
  });
}
