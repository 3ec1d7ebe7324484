import { Injectable } from '@nestjs/common';
import type { RetirementOrder } from '../domain/claim.js';
import { Registry } from './registry.js';

/**
 * The registry that is built in: our own ledger. The ledger is written whatever the registry, in the transaction that
 * completes the offset, so here there is nobody else to ask.
 */
@Injectable()
export class LedgerRegistry extends Registry {
  async retire(orders: readonly RetirementOrder[]): Promise<ReadonlySet<string>> {
    return new Set(orders.map(({ offset }) => offset));
  }
}
