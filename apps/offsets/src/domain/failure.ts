import type { FailureCode } from '@carbon/contracts';

/** Why an offset failed, as its caller is told: the detail says what to do and holds nothing of the inside. */
export interface Failure {
  readonly code: FailureCode;
  readonly detail: string;
}

/** All the credits that may be retired are fewer than the offset's. */
export const INSUFFICIENT_SUPPLY: Failure = {
  code: 'insufficient_supply',
  detail: 'Fewer credits are available than this offset needs. Nothing was retired; ask for less, or again later.',
};

/** The offset names an estimate that its account does not have. */
export const ESTIMATE_NOT_FOUND: Failure = {
  code: 'estimate_not_found',
  detail: 'This account has no estimate with that id. Nothing was retired; leave estimateId out, or name another.',
};

/** A request that came through the topic and does not agree with itself. */
export function requestRejected(reason: string): Failure {
  return { code: 'request_rejected', detail: `The request could not be honoured: ${reason}. Nothing was retired.` };
}
