import type { AdmissionStep, Visit } from '../admission-step.js';
import type { Limit } from './bucket.js';
import { callerAddress } from './caller-address.js';
import type { RateLimits } from './rate-limits.js';
import type { TrustedProxies } from './trusted-proxies.js';

/** What callers without a key have while the gateway is open. */
export interface OpenLimit {
  /** For each address; none where it is absent. */
  readonly open: Limit | undefined;
  readonly proxies: TrustedProxies;
}

/** Lets a caller pass who has not called too often: by the plan of the key, or by address where nobody has one. */
export class CallerLimit implements AdmissionStep {
  constructor(
    private readonly limits: RateLimits,
    private readonly settings: OpenLimit,
  ) {}

  admit({ caller, request, reply }: Visit): void | Promise<void> {
    const { key } = caller ?? {};
    if (key === undefined) return this.admitOpen(request, reply);
    const { name, limit } = key.plan;
    if (limit === undefined) return;
    return this.limits.pass({ kind: 'key', who: key.id, policy: { name, ...limit }, reply });
  }

  private admitOpen(request: Visit['request'], reply: Visit['reply']): void | Promise<void> {
    const { open, proxies } = this.settings;
    if (open === undefined) return;
    const who = callerAddress(request.raw, proxies);
    return this.limits.pass({ kind: 'open', who, policy: { name: 'open', ...open }, reply });
  }
}
