import { TransientFault } from '@carbon/faults';
import { Injectable, Logger } from '@nestjs/common';
import type { Claim } from '../domain/claim.js';
import { Bells } from '../pace/bell.js';
import { Database } from '../persistence/database.js';
import { holding } from '../persistence/lease.js';
import { completeOffsets } from './complete-offsets.js';
import { Registry } from './registry.js';
import { takeOver } from './take-over.js';

/** Has the credits of held offsets retired and completes them: `processing → completed`. */
@Injectable()
export class RetireOffsets {
  private readonly logger = new Logger(RetireOffsets.name);

  constructor(
    private readonly database: Database,
    private readonly registry: Registry,
    private readonly bells: Bells,
  ) {}

  /** Retires what this worker holds. What it does not hold any more it leaves alone. */
  async run({ token, orders }: Claim): Promise<void> {
    if (orders.length === 0) return;
    const offsets = orders.map(({ offset }) => offset);
    const retired = await holding(this.database.query, 'offsets', token, offsets, () => this.registry.retire(orders));
    await this.complete(token, [...retired]);
    this.bells.decided.ring();
  }

  /** Takes over offsets whose worker has been silent for too long; says whether there may be more. */
  async sweep(): Promise<boolean> {
    const claim = await this.database.transaction(takeOver);
    await this.run(claim);
    return claim.orders.length > 0;
  }

  /**
   * All in one transaction. When that fails for a reason of its own (no outage), the offsets are halved until the one that
   * fails is alone: it stays held, to be tried again, and the others are completed.
   */
  private async complete(token: string, offsets: readonly string[]): Promise<void> {
    try {
      await this.database.transaction((query) => completeOffsets(query, token, offsets));
    } catch (error) {
      if (error instanceof TransientFault) throw error;
      if (offsets.length <= 1) {
        this.logger.error('An offset cannot be completed; it is tried again.', error, { id: offsets[0] });
        return;
      }
      const middle = offsets.length >> 1;
      await this.complete(token, offsets.slice(0, middle));
      await this.complete(token, offsets.slice(middle));
    }
  }
}
