import { Ids, type OffsetWish } from '@carbon/contracts';
import { Publisher } from '@carbon/messaging';
import { Injectable } from '@nestjs/common';
import { requestMessage } from './offset-requested.js';
import { publishFault } from './publish-fault.js';

/** An id, and the moment from which the offset counts. */
interface Identity {
  readonly id: string;
  /** Unix milliseconds. */
  readonly time: number;
}

/** Accepts offsets. An offset is accepted once Kafka has confirmed its event, and nothing else is needed for that. */
@Injectable()
export class CreateOffset {
  constructor(
    private readonly ids: Ids,
    private readonly publisher: Publisher,
  ) {}

  /**
   * The id of the accepted offset. The id is fixed before anything is sent, so a retry under the same key, or under the
   * `retryKey` of a failure, lands on the same offset.
   * @throws TransientFault `not_accepted` or `outcome_unknown`
   */
  async run(account: string, wish: OffsetWish, key: string | undefined): Promise<string> {
    const { id, time } = this.identify(account, key);
    const createdAt = new Date(time).toISOString();
    const message = requestMessage({ id, account, createdAt, wish });
    try {
      await this.publisher.publish(message);
    } catch (error) {
      throw publishFault(error, key ?? id);
    }
    return id;
  }

  private identify(account: string, key: string | undefined): Identity {
    const now = Date.now();
    if (key === undefined) return { id: this.ids.mint('off', account, now), time: now };
    const id = this.ids.fromKey(account, key);
    const reading = this.ids.read('off', id, account);
    return { id, time: (reading.verdict === 'issued' ? reading.time : undefined) ?? now };
  }
}
