import { Injectable } from '@nestjs/common';
import { type AttemptedOrder, Registry, type RegistryAnswer } from './registry.js';

const RETIRED: RegistryAnswer = { outcome: 'retired' };

/**
 * The registry that is built in: our own ledger. The ledger is written whatever the registry, in the transaction that
 * completes the offset, so here there is nobody else to ask.
 */
@Injectable()
export class LedgerRegistry extends Registry {
  readonly isAtHand = true;

  check(): void {}

  room(): number {
    return Number.POSITIVE_INFINITY;
  }

  async retire(orders: readonly AttemptedOrder[]): Promise<ReadonlyMap<string, RegistryAnswer>> {
    return new Map(orders.map(({ offset }) => [offset, RETIRED]));
  }
}
