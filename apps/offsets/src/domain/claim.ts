import type { PricedLine } from './line.js';

/** What is reserved for one offset and is to be retired: all of its lines or none. */
export interface RetirementOrder {
  readonly offset: string;
  readonly lines: readonly PricedLine[];
}

/** Offsets in `processing` that one worker holds under a lease; every write about them asks for the token. */
export interface Claim {
  readonly token: string;
  readonly orders: readonly RetirementOrder[];
}
