import { gramsFromKg, type OffsetRequest, type OffsetRequestedV1 } from '@carbon/contracts';
import { eventMessage, type OutgoingMessage } from '@carbon/messaging';

/** An offset as it was asked for. */
export interface RequestedOffset {
  readonly id: string;
  readonly account: string;
  /** RFC 3339, UTC, milliseconds: the id's time where the id holds one. */
  readonly createdAt: string;
  readonly wish: OffsetRequest;
  /** Of the wish. */
  readonly fingerprint: string;
}

/** The data of `offset.requested.v1`: the wish, its exact weight in grams and its fingerprint. */
export function offsetRequested({ id, account, createdAt, wish, fingerprint }: RequestedOffset): OffsetRequestedV1 {
  const { kgCO2e, estimateId, customerRef } = wish;
  return {
    id,
    account,
    kgCO2e,
    grams: gramsFromKg(kgCO2e).toString(),
    ...(estimateId !== undefined && { estimateId }),
    ...(customerRef !== undefined && { customerRef }),
    createdAt,
    fingerprint,
  };
}

/** The message for Kafka. Its id, key and time are the offset's, so a repeated request is a repeated event. */
export function requestMessage(offset: RequestedOffset): OutgoingMessage {
  const { id, createdAt } = offset;
  const facts = { id, source: '/gateway', subject: id, time: createdAt } as const;
  return eventMessage('offset.requested.v1', offsetRequested(offset), facts);
}
