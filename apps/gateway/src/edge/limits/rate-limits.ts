import { RequestError } from '@carbon/http';
import type { Metrics } from '@carbon/observability';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { limitMetrics } from '../../gateway.metrics.js';
import { secondsToNext } from './bucket.js';
import type { Counted, Counters } from './counters.js';
import { type Policy, tellLimit } from './rate-headers.js';

/** What is limited: the requests of a key, those of an address while the gateway is open, and those without a good key. */
export type LimitKind = 'key' | 'open' | 'failed_key';

/** One request at one limit. */
export interface Attempt {
  readonly kind: LimitKind;
  /** Whose: a key's public id, or an address. */
  readonly who: string;
  readonly policy: Policy;
  readonly reply: FastifyReply;
}

const ADVICE: Readonly<Record<LimitKind, (policy: Policy) => string>> = {
  key: (policy) => `The plan "${policy.name}" of this key allows ${allowed(policy)}. ${SLOWLY}`,
  open: (policy) => `This gateway allows each address ${allowed(policy)}. ${SLOWLY}`,
  failed_key: () =>
    'Too many requests without a valid key came from your address. Wait for the seconds that Retry-After says, and look at the key before you try again.',
};

const SLOWLY = 'Wait for the seconds that Retry-After says, then go on more slowly; RateLimit tells what is left.';

/** Counts requests against limits, and turns away what is too much with `rate_limited`. */
export class RateLimits implements OnApplicationShutdown {
  private readonly instruments;

  constructor(
    private readonly counters: Readonly<Record<LimitKind, Counters>>,
    metrics: Metrics,
    private readonly close: () => void = () => {},
  ) {
    this.instruments = metrics.of(limitMetrics);
    metrics.onScrape(() => {
      for (const [limit, { size }] of Object.entries(counters)) this.instruments.buckets.set({ limit }, size);
    });
  }

  /** Called when the last request is answered. */
  onApplicationShutdown(): void {
    this.close();
  }

  /**
   * Counts one request, and tells the limit with its answer.
   * @throws RequestError `rate_limited`
   */
  pass(attempt: Attempt): void | Promise<void> {
    const counted = this.count(attempt);
    if (counted instanceof Promise) return counted.then((known) => this.decide(attempt, known));
    this.decide(attempt, counted);
  }

  /** Counts one request, and tells nothing unless it is turned away: an answer that must always be the same. */
  passUntold(attempt: Attempt): void | Promise<void> {
    const counted = this.count(attempt);
    if (counted instanceof Promise) return counted.then((known) => this.refuseBeyond(attempt, known));
    this.refuseBeyond(attempt, counted);
  }

  private count({ kind, who, policy }: Attempt): Counted | Promise<Counted> {
    return this.counters[kind].take(`${kind}:${who}`, policy);
  }

  private decide(attempt: Attempt, counted: Counted): void {
    if (counted.admitted) tellLimit(attempt.reply, attempt.policy, counted.debt);
    this.refuseBeyond(attempt, counted);
  }

  private refuseBeyond({ kind, policy, reply }: Attempt, { admitted, debt, by }: Counted): void {
    const outcome = admitted ? 'admitted' : 'refused';
    this.instruments.decisions.inc({ limit: kind, outcome, counters: by });
    if (admitted) return;
    tellLimit(reply, policy, debt);
    const headers = { 'retry-after': String(secondsToNext(debt, policy)) };
    throw new RequestError('rate_limited', ADVICE[kind](policy), { headers });
  }
}

function allowed({ perSecond, burst }: Policy): string {
  return `${perSecond} requests a second on average and ${burst} at once`;
}
