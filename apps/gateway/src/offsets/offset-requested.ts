import { gramsFromKg, type OffsetRequest, type OffsetRequestedV1 } from '@carbon/contracts';
import { TransientError } from '@carbon/http';
import { eventMessage, NotPublished, type OutgoingMessage, PublishOutcomeUnknown } from '@carbon/messaging';

/** What the gateway adds to a request. */
export interface OffsetIdentity {
  readonly id: string;
  readonly account: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  readonly fingerprint: string;
}

/** Returns the data of `offset.requested.v1`: the request, its exact weight in grams and its identity. */
export function offsetRequested(request: OffsetRequest, identity: OffsetIdentity): OffsetRequestedV1 {
  const { kgCO2e, estimateId, customerRef } = request;
  const { id, account, createdAt, fingerprint } = identity;
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

/** Returns the message for Kafka. Its id, key and time are the offset's, so a repeated request is a repeated event. */
export function requestMessage(event: OffsetRequestedV1): OutgoingMessage {
  const { id, createdAt } = event;
  const attributes = { id, source: '/gateway', subject: id, time: createdAt } as const;
  return eventMessage('offset.requested.v1', event, attributes);
}

/**
 * Returns the 503 for a message that Kafka did not confirm: `not_accepted` or `outcome_unknown`. Any other error is returned as
 * it is.
 */
export function publishError(cause: unknown, retryKey: string): unknown {
  if (cause instanceof NotPublished) return notAccepted(retryKey, cause);
  if (cause instanceof PublishOutcomeUnknown) return outcomeUnknown(retryKey, cause);
  return cause;
}

/** The 503 for an offset that was not recorded. @param retryKey the idempotency key to retry with */
export function notAccepted(retryKey: string, cause?: unknown): TransientError {
  const detail = 'Nothing was recorded. Send the same body again, with retryKey as the Idempotency-Key.';
  return new TransientError('not_accepted', detail, { cause, members: { retryKey } });
}

/** The 503 for an offset that may have been recorded. @param retryKey the idempotency key to retry with */
export function outcomeUnknown(retryKey: string, cause?: unknown): TransientError {
  const detail =
    'The offset may have been recorded. Send the same body again, with retryKey as the Idempotency-Key: ' +
    'that cannot create a second one.';
  return new TransientError('outcome_unknown', detail, { cause, members: { retryKey } });
}
