import { randomUUID } from 'node:crypto';
import { eventMessage, Publisher } from '@carbon/messaging';
import { Injectable, Logger } from '@nestjs/common';
import { ProgressNumbers } from '../metrics/progress-numbers.js';
import { Database } from '../persistence/database.js';
import { holding } from '../persistence/lease.js';
import { claimEvents, isFull, type UnsentEvent } from './claim-events.js';
import { markAnnounced } from './mark-announced.js';

/**
 * Publishes what the outbox holds, whoever wrote it. There may be any number of relays: each claims rows under a lease,
 * publishes them outside of any transaction, and marks those that Kafka confirmed. One that dies in between leaves its
 * rows to the next relay, so an event may be published again, as the same event.
 */
@Injectable()
export class RelayEvents {
  private readonly logger = new Logger(RelayEvents.name);

  constructor(
    private readonly database: Database,
    private readonly publisher: Publisher,
    private readonly numbers?: ProgressNumbers,
  ) {}

  /** One batch; says whether there may be more. */
  async run(): Promise<boolean> {
    const token = randomUUID();
    const events = await claimEvents(this.database.query, token);
    if (events.length === 0) return false;
    this.numbers?.tookOver('outbox', events.filter(({ taken_over }) => taken_over).length);
    const ids = events.map(({ event_id }) => event_id);
    const confirmed = await holding(this.database.query, 'outbox', token, ids, () => this.publish(events));
    await markAnnounced(this.database.query, token, confirmed);
    return confirmed.length === events.length && isFull(events);
  }

  /** The ids of the events that Kafka confirmed. The others stay claimed until their lease runs out, then come again. */
  private async publish(events: readonly UnsentEvent[]): Promise<string[]> {
    const outcomes = await Promise.allSettled(events.map((event) => this.publisher.publish(messageOf(event))));
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
    if (failed.length > 0) this.logger.warn(`${failed.length} events wait for Kafka.`, { err: failed[0]?.reason });
    return events.flatMap(({ event_id }, place) => (outcomes[place]?.status === 'fulfilled' ? [event_id] : []));
  }
}

function messageOf({ event_id, offset_id, type, payload, traceparent, created_at }: UnsentEvent) {
  return eventMessage(type, payload, {
    id: event_id,
    source: '/offsets',
    subject: offset_id,
    time: created_at.toISOString(),
    traceparent: traceparent ?? undefined,
  });
}
