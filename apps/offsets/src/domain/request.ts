import { hash } from 'node:crypto';
import { fingerprint, gramsFromKg, hashOf, type OffsetRequestedV1 } from '@carbon/contracts';
import { type Failure, requestRejected } from './failure.js';

/** An offset as it was asked for, ready to be recorded: queued, or failed where it says why. */
export interface RequestedOffset {
  readonly id: string;
  readonly account: string;
  readonly kgCO2e: number;
  readonly grams: bigint;
  readonly fingerprint: string;
  readonly estimateId: string | undefined;
  readonly customerRef: string | undefined;
  readonly failure: Failure | undefined;
}

/** A request of the right shape. One whose parts contradict each other cannot be honoured. */
export function requested(request: OffsetRequestedV1): RequestedOffset {
  const { id, account, kgCO2e, estimateId, customerRef } = request;
  const grams = gramsFromKg(kgCO2e);
  return {
    ...{ id, account, kgCO2e, grams, estimateId, customerRef },
    fingerprint: request.fingerprint,
    failure: contradiction(request, grams),
  };
}

/** What can be told of a request of which little more than the id and the account can be read. */
export interface Fragment {
  readonly id: string;
  readonly account: string;
  readonly kgCO2e?: number | undefined;
  readonly estimateId?: string | undefined;
  readonly customerRef?: string | undefined;
  /** Counts for the fingerprint of an unreadable request alone. */
  readonly createdAt?: string | undefined;
}

/** A request that is not of the right shape, but of a known offset: recorded as failed, so that its caller is told. */
export function rejected(fragment: Fragment, whole: unknown, reason: string): RequestedOffset {
  const { id, account, kgCO2e = 0, estimateId, customerRef } = fragment;
  return {
    ...{ id, account, kgCO2e, grams: gramsFromKg(kgCO2e), estimateId, customerRef },
    fingerprint: fingerprintOf(whole, fragment),
    failure: requestRejected(reason),
  };
}

/**
 * JSON can carry what has no canonical form: numbers beyond every number, halves of characters, a nesting without end.
 * Such a request is told by what could be read of it, since what throws here would hold up its partition for ever.
 */
function fingerprintOf(whole: unknown, readable: Fragment): string {
  try {
    return hashOf(whole);
  } catch {
    return hash('sha256', JSON.stringify(readable), 'hex');
  }
}

function contradiction(request: OffsetRequestedV1, grams: bigint): Failure | undefined {
  if (grams !== BigInt(request.grams)) return requestRejected('its grams are not its kgCO2e');
  if (fingerprint(request) !== request.fingerprint)
    return requestRejected('its fingerprint is that of another request');
  return undefined;
}
