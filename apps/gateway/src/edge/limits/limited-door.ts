import { ApiError } from '@carbon/http';
import type { AdmissionStep, Visit } from '../admission-step.js';
import type { Doorkeeper } from '../doorkeeper.js';
import type { Limit } from './bucket.js';
import { callerAddress } from './caller-address.js';
import type { RateLimits } from './rate-limits.js';
import type { TrustedProxies } from './trusted-proxies.js';

/** How often an address may come without a good key. */
export interface FailureLimit {
  /** For each address; none where it is absent. */
  readonly failures: Limit | undefined;
  readonly proxies: TrustedProxies;
}

/**
 * Asks who calls, and lets an address fail at that only so often: beyond it the answer is 429 instead of 401, whatever is
 * wrong with the key. A good key passes all the same. To look at one costs less than to answer, none can be guessed, and
 * behind one address, a proxy's perhaps, there may be many who would be shut out by the mistake or the malice of one.
 */
export class LimitedDoor implements AdmissionStep {
  constructor(
    private readonly doorkeeper: Doorkeeper,
    private readonly limits: RateLimits,
    private readonly settings: FailureLimit,
  ) {}

  admit(visit: Visit): void | Promise<void> {
    try {
      return this.doorkeeper.admit(visit);
    } catch (fault) {
      if (!(fault instanceof ApiError) || fault.code !== 'unauthorized') throw fault;
      return this.refuse(visit, fault);
    }
  }

  /** @throws the fault of the door, or `rate_limited` in its place */
  private refuse({ request, reply }: Visit, fault: ApiError): Promise<void> {
    const { failures, proxies } = this.settings;
    if (failures === undefined) throw fault;
    const who = callerAddress(request.raw, proxies);
    const policy = { name: 'failed-keys', ...failures };
    const counted = this.limits.passUntold({ kind: 'failed_key', who, policy, reply });
    if (counted === undefined) throw fault;
    return counted.then(() => Promise.reject(fault));
  }
}
