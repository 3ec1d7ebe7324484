import type { RetirementOrder } from '../domain/claim.js';
import type { PricedLine } from '../domain/line.js';

/** An order, and the how-manieth attempt at it this is: from the second on, one before may have been heard. */
export interface AttemptedOrder extends RetirementOrder {
  /** From 1, which is also meant by none. */
  readonly attempt?: number;
  /**
   * Whether the database was recovered, or is on another server, since the offset was created. It may then have been ordered
   * with other lines before, and both the attempts and those lines are lost.
   */
  readonly isRecovered?: boolean;
}

/** What is known of one offset once its registry was asked. */
export type RegistryAnswer =
  /**
   * All of its lines are retired; `reference` is how the registry knows the retirement. `lines` are there where a recovered
   * offset was retired with other lines than are reserved now.
   */
  | {
      readonly outcome: 'retired';
      readonly reference?: string | undefined;
      readonly lines?: readonly PricedLine[] | undefined;
    }
  /** None is, and none will be, under this key. `detail` is a sentence for the offset's owner. */
  | { readonly outcome: 'refused'; readonly detail: string }
  /** Nothing is known. It is asked again, after `waitMs` at the earliest. */
  | { readonly outcome: 'unknown'; readonly reason: string; readonly waitMs?: number | undefined };

/** Who retires credits for good. The port, and its Nest token. */
export abstract class Registry {
  /** Whether it answers at once, out of what is at hand. Else it is asked apart from everything else. */
  abstract readonly isAtHand: boolean;

  /** Throws while it is known to be away. For health. */
  abstract check(): void;

  /** About how many more offsets it may be asked while `underWay` are being asked about. */
  abstract room(underWay: number): number;

  /**
   * Retires what each order asks for, all of its lines or none, with the offset's id as the idempotency key: asking again
   * never retires twice. Gives what is now known, offset by offset; nothing is known of one that is left out. Never
   * rejects for what the registry does.
   * @param signal gives up what is under way, which is unknown then
   */
  abstract retire(
    orders: readonly AttemptedOrder[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, RegistryAnswer>>;
}
