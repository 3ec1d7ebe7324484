import type { RetirementOrder } from '../domain/claim.js';

/** Who retires credits for good. The port, and its Nest token. */
export abstract class Registry {
  /**
   * Retires what each order asks for, all of its lines or none, with the offset's id as the idempotency key: asking again
   * never retires twice. Gives the offsets that are now known to be retired. One that is left out is not known to be; it
   * stays in `processing`, and is asked about again.
   */
  abstract retire(orders: readonly RetirementOrder[]): Promise<ReadonlySet<string>>;
}
