import type { FastifyReply } from 'fastify';
import { type Limit, remaining, secondsToNext } from './bucket.js';

/** A limit with the name it is told by: letters, digits and dashes, so that it needs no escaping between quotes. */
export interface Policy extends Limit {
  readonly name: string;
}

/**
 * Tells a caller its limit and what is left of it (draft-ietf-httpapi-ratelimit-headers-11; lists of structured fields,
 * RFC 9651). A token bucket has no window: `q` is what there is at once, and `w` the time in which that comes again, so that
 * a client that spreads `q` over `w` is never refused. `t` says when there is at least one more than `r`.
 */
export function tellLimit(reply: FastifyReply, policy: Policy, debt: number): void {
  void reply
    .header('ratelimit-policy', `"${policy.name}";q=${policy.burst};w=${windowOf(policy)}`)
    .header('ratelimit', `"${policy.name}";r=${remaining(debt, policy)};t=${secondsToNext(debt, policy)}`);
}

/** In whole seconds, as the fields want it; never less than the truth. */
function windowOf({ perSecond, burst }: Limit): number {
  return Math.max(1, Math.ceil(burst / perSecond));
}
