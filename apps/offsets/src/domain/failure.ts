import { creditsFromGrams, type FailureCode } from '@carbon/contracts';

/** Why an offset failed, as its caller reads it: the detail says what to do and reveals nothing internal. */
export interface Failure {
  readonly code: FailureCode;
  readonly detail: string;
}

/** All available credits together are fewer than the offset needs. */
export interface SupplyShortage extends Failure {
  readonly code: 'insufficient_supply';
  readonly availableGrams: bigint;
}

/** Returns the failure of an offset that needs more than these grams. */
export function supplyShortage(availableGrams: bigint): SupplyShortage {
  const [shortage, next] = shortageText(availableGrams, 'this offset needs');
  return { code: 'insufficient_supply', detail: `${shortage} Nothing was retired; ${next}.`, availableGrams };
}

/** Returns whether there are too few credits, rather than too many assets or an invalid estimate. */
export function isShortage(failure: Failure): failure is SupplyShortage {
  return 'availableGrams' in failure;
}

/** Returns "Only 1.5 credits are available, fewer than this estimate needs." and what to do. @param owner such as ` of this asset` */
export function shortageText(grams: bigint, need = 'this estimate needs', owner = ''): readonly [string, string] {
  const credits = creditsFromGrams(grams);
  if (credits === 0) return [`No credits${owner} are available.`, 'try again later'];
  const available = credits === 1 ? `1 credit${owner} is` : `${credits} credits${owner} are`;
  return [`Only ${available} available, fewer than ${need}.`, 'ask for less, or try again later'];
}

/** There may be enough credits, but from so many assets that the offset's event would not fit into a message. */
export const TOO_MANY_ASSETS: Failure = {
  code: 'insufficient_supply',
  detail: 'This offset would need credits from too many assets at once. Nothing was retired; ask for less.',
};

/** An asset of the estimate is no longer active, or has too few credits. No other asset replaces it. */
export const ESTIMATE_UNSERVABLE: Failure = {
  code: 'insufficient_supply',
  detail:
    'An asset of the estimate is no longer active or has too few credits left. Nothing was retired; ask for a new estimate.',
};

/** The offset names an estimate that its account does not have. */
export const ESTIMATE_NOT_FOUND: Failure = {
  code: 'estimate_not_found',
  detail: 'This account has no estimate with that id. Nothing was retired; leave estimateId out, or name another.',
};

/** The offset was accepted after its estimate had expired. */
export const ESTIMATE_EXPIRED: Failure = {
  code: 'estimate_expired',
  detail: 'The estimate had expired when this offset was accepted. Nothing was retired; ask for a new estimate.',
};

/** The weight of the offset is not that of its estimate. */
export const ESTIMATE_MISMATCH: Failure = {
  code: 'estimate_mismatch',
  detail: 'The estimate is for another weight. Nothing was retired; send its kgCO2e, or ask for another estimate.',
};

/** Another offset has used this estimate, or has reserved its credits. */
export const ESTIMATE_USED: Failure = {
  code: 'estimate_used',
  detail: 'Another offset has used this estimate. Nothing was retired; ask for a new estimate.',
};

/** Returns the failure of a request whose members contradict each other or cannot be read. */
export function requestRejected(reason: string): Failure {
  return { code: 'request_rejected', detail: `The request could not be fulfilled: ${reason}. Nothing was retired.` };
}
