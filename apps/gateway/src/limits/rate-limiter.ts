import { RequestError } from '@carbon/http';
import type { Metrics } from '@carbon/observability';
import type { FastifyReply } from 'fastify';
import { limitMetrics } from '../gateway.metrics.js';
import type { AdmissionContext, AdmissionStep } from './admission.js';
import { callerAddress, type TrustedProxies } from './caller-address.js';
import type { CountedDecision, Counters } from './counters.js';
import { type Limit, remaining, secondsToFill, secondsToNext } from './token-bucket.js';

/** What is limited: the requests of a key, those of an address in open mode, and those of an address without a valid key. */
export type LimitKind = 'key' | 'open' | 'failed_key';

/** A limit with its name in headers: letters, digits and dashes, so that it needs no escaping between quotes. */
export interface Policy extends Limit {
  readonly name: string;
}

/** The options of a {@link RateLimiter}. */
interface RateLimiterOptions {
  readonly counters: Readonly<Record<LimitKind, Counters>>;
  /** The limit of an address in open mode; none where it is absent. */
  readonly open: Limit | undefined;
  /** The limit of an address without a valid key; none where it is absent. */
  readonly failedKeys: Limit | undefined;
  readonly proxies: TrustedProxies;
}

/** One request against one limit. */
interface Attempt {
  readonly kind: LimitKind;
  /** A key's public id, or an address. */
  readonly bucket: string;
  readonly policy: Policy;
  readonly reply: FastifyReply;
}

/** Limits how often a caller may call: by the plan of its key, or by its address where it has none. */
export class RateLimiter implements AdmissionStep {
  private readonly instruments;

  constructor(
    private readonly options: RateLimiterOptions,
    metrics: Metrics,
  ) {
    this.instruments = metrics.of(limitMetrics);
    const { buckets } = this.instruments;
    metrics.onScrape(() => {
      for (const [limit, { size }] of Object.entries(options.counters)) buckets.set({ limit }, size);
    });
  }

  /** Counts one request, and puts the limit into the headers of its response. @throws RequestError `rate_limited` */
  admit({ caller, request, reply }: AdmissionContext): void | Promise<void> {
    const attempt = caller?.key === undefined ? this.ofAddress(request, reply) : this.ofKey(caller.key, reply);
    if (attempt === undefined) return;
    return this.count(attempt, (decision) => {
      if (decision.admitted) setLimitHeaders(attempt.reply, attempt.policy, decision.debt);
      this.refuseBeyond(attempt, decision);
    });
  }

  /**
   * Counts one request without a valid key. The 401 is always the same, so only a refusal has limit headers. @throws
   * RequestError `rate_limited`
   */
  admitFailedAuthentication({ request, reply }: AdmissionContext): void | Promise<void> {
    const { failedKeys, proxies } = this.options;
    if (failedKeys === undefined) return;
    const bucket = callerAddress(request.raw, proxies);
    const attempt: Attempt = { kind: 'failed_key', bucket, policy: { name: 'failed-keys', ...failedKeys }, reply };
    return this.count(attempt, (decision) => this.refuseBeyond(attempt, decision));
  }

  private ofKey(
    { id, plan: { name, limit } }: NonNullable<NonNullable<AdmissionContext['caller']>['key']>,
    reply: FastifyReply,
  ) {
    return limit && ({ kind: 'key', bucket: id, policy: { name, ...limit }, reply } satisfies Attempt);
  }

  private ofAddress(request: AdmissionContext['request'], reply: FastifyReply): Attempt | undefined {
    const { open, proxies } = this.options;
    if (open === undefined) return undefined;
    return { kind: 'open', bucket: callerAddress(request.raw, proxies), policy: { name: 'open', ...open }, reply };
  }

  private count(attempt: Attempt, decide: (decision: CountedDecision) => void): void | Promise<void> {
    const { kind, bucket, policy } = attempt;
    const counted = this.options.counters[kind].take(`${kind}:${bucket}`, policy);
    return counted instanceof Promise ? counted.then(decide) : decide(counted);
  }

  private refuseBeyond({ kind, policy, reply }: Attempt, { admitted, debt, by }: CountedDecision): void {
    const outcome = admitted ? 'admitted' : 'refused';
    this.instruments.decisions.inc({ limit: kind, outcome, store: by });
    if (admitted) return;
    setLimitHeaders(reply, policy, debt);
    throw rateLimited(kind, policy, debt);
  }
}

const SLOW_DOWN =
  'Wait for the number of seconds in Retry-After, then continue more slowly; RateLimit states what is left.';

/** The 429 of a limit. @param debt the bucket's, which determines the wait */
export function rateLimited(kind: LimitKind, policy: Policy, debt: number): RequestError {
  const allowed = `${policy.perSecond} requests a second on average and ${policy.burst} at once`;
  const details: Readonly<Record<LimitKind, string>> = {
    key: `The plan "${policy.name}" of this key allows ${allowed}. ${SLOW_DOWN}`,
    open: `This gateway allows each address ${allowed}. ${SLOW_DOWN}`,
    failed_key:
      'Too many requests without a valid key came from your address. Wait for the number of seconds in Retry-After, and check the key before you try again.',
  };
  const headers = { 'retry-after': String(secondsToNext(debt, policy)) };
  return new RequestError('rate_limited', details[kind], { headers });
}

/**
 * Sets `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11; structured fields, RFC 9651). A token bucket
 * has no window: `q` is the burst and `w` the time in which it comes back, so a client that spreads `q` over `w` is never
 * refused. `t` is when there is at least one more than `r`.
 */
function setLimitHeaders(reply: FastifyReply, policy: Policy, debt: number): void {
  const windowSeconds = secondsToFill(policy);
  void reply
    .header('ratelimit-policy', `"${policy.name}";q=${policy.burst};w=${windowSeconds}`)
    .header('ratelimit', `"${policy.name}";r=${remaining(debt, policy)};t=${secondsToNext(debt, policy)}`);
}
