import { fingerprint, Ids, type OffsetRequest } from '@carbon/contracts';
import { Publisher } from '@carbon/messaging';
import { Metrics } from '@carbon/observability';
import { Injectable } from '@nestjs/common';
import { offsetMetrics } from '../../gateway.metrics.js';
import { type RequestedOffset, requestMessage } from './offset-requested.js';
import { publishFault } from './publish-fault.js';
import { RecentWishes } from './recent-wishes.js';
import { RecordedFingerprint } from './recorded-fingerprint.js';

/** An id, and the moment from which the offset counts. */
interface Identity {
  readonly id: string;
  /** Unix milliseconds. */
  readonly time: number;
}

/** An offset that was accepted, now or by an earlier request of which this one is a replay. */
export interface AcceptedOffset {
  readonly id: string;
  readonly replayed: boolean;
}

/** Accepts offsets. An offset is accepted once Kafka has confirmed its event, and nothing else is needed for that. */
@Injectable()
export class CreateOffset {
  private readonly numbers;

  constructor(
    private readonly ids: Ids,
    private readonly recent: RecentWishes,
    private readonly recorded: RecordedFingerprint,
    private readonly publisher: Publisher,
    metrics: Metrics,
  ) {
    this.numbers = metrics.of(offsetMetrics);
    for (const replayed of ['true', 'false']) this.numbers.accepted.inc({ replayed }, 0);
  }

  /**
   * The id is fixed before anything is sent, so a retry under the same key, or under the `retryKey` of a failure, lands
   * on the same offset, whether it is known for a replay or not.
   * @throws RequestError `idempotency_key_reused` for a key under which another wish is known
   * @throws TransientError `not_accepted` or `outcome_unknown`
   */
  async run(account: string, wish: OffsetRequest, key: string | undefined): Promise<AcceptedOffset> {
    const { id, time } = this.identify(account, key);
    const createdAt = new Date(time).toISOString();
    const offset = { id, account, createdAt, wish, fingerprint: fingerprint(wish) };
    const replayed = await this.accept(offset, key);
    this.numbers.accepted.inc({ replayed: String(replayed) });
    return { id, replayed };
  }

  /** @returns whether it was accepted before */
  private async accept(offset: RequestedOffset, key: string | undefined): Promise<boolean> {
    const { id, account, fingerprint } = offset;
    const publish = () => this.publish(offset, key);
    if (key === undefined) {
      await this.recent.first(id, fingerprint, publish);
      return false;
    }
    if (!this.recent.knows(id, fingerprint)) await this.learn(account, id);
    return (await this.recent.once(id, fingerprint, publish)) === 'before';
  }

  private identify(account: string, key: string | undefined): Identity {
    const now = Date.now();
    if (key === undefined) return { id: this.ids.mint('off', account, now), time: now };
    const id = this.ids.fromKey(account, key);
    const reading = this.ids.read('off', id, account);
    return { id, time: (reading.verdict === 'issued' ? reading.time : undefined) ?? now };
  }

  private async learn(account: string, id: string): Promise<void> {
    const recorded = await this.recorded.of(account, id);
    // What a twin has published meanwhile is recorded as well, or about to be.
    if (recorded !== undefined) this.recent.learn(id, recorded);
  }

  private async publish(offset: RequestedOffset, key: string | undefined): Promise<void> {
    try {
      await this.publisher.publish(requestMessage(offset));
    } catch (error) {
      throw publishFault(error, key ?? offset.id);
    }
  }
}
