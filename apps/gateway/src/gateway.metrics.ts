import { producerMetrics } from '@carbon/messaging';
import { counter, figureMetrics, gauge, histogram, httpMetrics, REQUEST_SECONDS } from '@carbon/observability';

const UPSTREAM =
  'Whom it asks, and over which connections: `offsets`, `offset_lookups`, `offset_fingerprints`, `catalog`.';

/** What the gateway counts of its own work. */
export const offsetMetrics = {
  accepted: counter('carbon_gateway_offsets_accepted_total', 'Offsets answered with 202.', {
    replayed: '`true` when an earlier request was accepted under the same key, and nothing was published.',
  }),
};

/** What the gateway counts of its questions to other apps. */
export const upstreamMetrics = {
  duration: histogram(
    'carbon_gateway_upstream_duration_seconds',
    'Questions to another app, with the wait for a free connection.',
    REQUEST_SECONDS,
    {
      upstream: UPSTREAM,
      outcome:
        '`answered`, whatever the answer; `failed`; `breaker_open` (not asked); `busy` (no free connection in time); `given_up` (nobody waited any more).',
    },
  ),
  breakerOpen: gauge(
    'carbon_gateway_upstream_breaker_open',
    'Whether the other app is left alone for a moment after failures (1) or asked (0).',
    { upstream: UPSTREAM },
  ),
};

/** What the gateway shows of the keys it knows callers by; absent while it is open. */
export const keyMetrics = {
  current: gauge(
    'carbon_gateway_key_file_current',
    'Whether the keys in force are those of the key file (1), or older ones because it cannot be read (0). Absent while the gateway is open.',
  ),
  live: gauge('carbon_gateway_keys_live', 'Keys that are taken: neither revoked nor expired.'),
};

const LIMIT =
  'What was limited: the requests of a `key`, those of an address while the gateway is `open`, or those of an address without a valid key (`failed_key`).';

/** What the gateway counts of its limits. */
export const limitMetrics = {
  decisions: counter('carbon_gateway_rate_limit_decisions_total', 'Requests that were counted against a limit.', {
    limit: LIMIT,
    outcome: '`admitted`, which for `failed_key` is answered 401; `refused`: answered 429.',
    counters: 'Who counted: the process’s `own` counters, or those in `redis`.',
  }),
  buckets: gauge(
    'carbon_gateway_rate_limit_buckets',
    'Callers that this process keeps in mind, because they called lately. At `RATE_LIMIT_CALLERS` new ones are counted together.',
    { limit: LIMIT },
  ),
  redisAnswers: gauge(
    'carbon_gateway_rate_limit_redis_answers',
    'Whether Redis decides about requests (1), or each process by itself because it does not answer (0). Absent without `RATE_LIMIT_REDIS_URL`.',
  ),
  redisDuration: histogram('carbon_gateway_rate_limit_redis_duration_seconds', 'Questions to Redis.', REQUEST_SECONDS, {
    outcome: '`answered`; `late`; `failed`, also when it was not asked because it failed before.',
  }),
};

/** Every metric of the gateway, for the documents. */
export const gatewayMetrics = [
  httpMetrics('gateway'),
  offsetMetrics,
  producerMetrics('gateway'),
  upstreamMetrics,
  keyMetrics,
  limitMetrics,
  figureMetrics('gateway'),
];
