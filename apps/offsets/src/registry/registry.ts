import { Injectable } from '@nestjs/common';
import type { PricedLine } from '../domain/line.js';

/** The reserved lines of one offset, to be retired all or none. */
export interface RetirementOrder {
  readonly offset: string;
  readonly lines: readonly PricedLine[];
  /**
   * The number of this attempt at an external registry, from 1: from the second on, the registry may have received an
   * earlier one.
   */
  readonly attempt: number;
  /**
   * Whether the database was recovered, or is on another server, since the offset was created. An order with other lines may have
   * been sent before, and the database may lack both the attempts and those lines.
   */
  readonly isRecovered: boolean;
}

/** The registry's answer about one offset. */
export type RegistryAnswer =
  /**
   * All of its lines are retired. `reference` is the registry's name for the retirement. `lines` are present where a recovered
   * offset was retired with other lines than are reserved now.
   */
  | {
      readonly outcome: 'retired';
      readonly reference?: string | undefined;
      readonly lines?: readonly PricedLine[] | undefined;
    }
  /** Nothing is retired, and nothing will be under this key. `detail` is a sentence for the offset's owner. */
  | { readonly outcome: 'refused'; readonly detail: string }
  /** The registry must be called again, after `waitMs` at the earliest. */
  | { readonly outcome: 'unknown'; readonly reason: string; readonly waitMs?: number | undefined };

/** Port to the registry that retires credits. */
export abstract class Registry {
  /** Whether a third party operates the registry, so that no transaction can wait for its answer. */
  abstract readonly isExternal: boolean;

  /** Health check. @throws Error while the registry does not answer */
  abstract check(): void;

  /** Returns how many more calls it can take while `inProgress` calls are in progress. */
  abstract availableCapacity(inProgress: number): number;

  /**
   * Retires all lines of an order or none, with the offset's id as the idempotency key: a repeated call never retires twice. Never
   * rejects because of what the registry does.
   * @param signal aborts the call, whose outcome is then unknown
   */
  abstract retire(order: RetirementOrder, signal?: AbortSignal): Promise<RegistryAnswer>;
}

/** Our own ledger as the registry: it is written in the transaction that completes an offset, so there is no call. */
@Injectable()
export class BuiltInRegistry extends Registry {
  readonly isExternal: boolean = false;

  check(): void {}

  availableCapacity(): number {
    return Number.POSITIVE_INFINITY;
  }

  async retire(_order: RetirementOrder): Promise<RegistryAnswer> {
    return { outcome: 'retired' };
  }
}
