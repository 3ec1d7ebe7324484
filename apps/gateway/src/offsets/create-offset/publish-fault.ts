import { TransientError } from '@carbon/http';
import { NotPublished, PublishOutcomeUnknown } from '@carbon/messaging';

/**
 * What a client is told when Kafka did not confirm: 503 `not_accepted` or `outcome_unknown`, both with `retryKey`, the
 * Idempotency-Key under which trying again cannot make a second offset. Any other error is given back as it is.
 */
export function publishFault(cause: unknown, retryKey: string): unknown {
  const options = { cause, members: { retryKey } };
  if (cause instanceof NotPublished) {
    const detail = 'Nothing was recorded. Send the same body again, with retryKey as the Idempotency-Key.';
    return new TransientError('not_accepted', detail, options);
  }
  if (cause instanceof PublishOutcomeUnknown) {
    const detail =
      'The offset may have been recorded. Send the same body again, with retryKey as the Idempotency-Key: ' +
      'that cannot make a second one.';
    return new TransientError('outcome_unknown', detail, options);
  }
  return cause;
}
