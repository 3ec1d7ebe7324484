import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isStale } from '../fulfillment/lease.js';
import type { Fence } from '../persistence/fence.js';
import type { WrittenEvent } from './outbox.js';

/** Events that were written down together, and the token under which they are held. */
export interface Lot {
  /** That of the database which holds them: another one may lack them. */
  readonly fence: Fence;
  readonly token: string;
  /** Before they were committed, ms of `performance.now()`. */
  readonly since: number;
  readonly events: readonly WrittenEvent[];
}

/** Lots in hand, beside those that are being written meanwhile. What is more is found in the outbox, as ever. */
const MOST_LOTS = 3;

/**
 * Events on the short way from whoever wrote them to the relay of the same process: held from the beginning, so that nobody
 * need look for them, take them up and read them again. Only what is committed may be given. What is lost here, with the
 * process, is in the outbox, and is found as soon as its lease has run out.
 */
@Injectable()
export class FreshEvents {
  private readonly lots: Lot[] = [];

  /** A token to hold the next events under; undefined while there is no room for them. */
  token(): string | undefined {
    return this.lots.length < MOST_LOTS ? randomUUID() : undefined;
  }

  give(lot: Lot): void {
    if (lot.events.length > 0) this.lots.push(lot);
  }

  take(): Lot | undefined {
    for (let lot = this.lots.shift(); lot !== undefined; lot = this.lots.shift()) {
      if (!isStale(lot.since)) return lot;
    }
    return undefined;
  }
}
