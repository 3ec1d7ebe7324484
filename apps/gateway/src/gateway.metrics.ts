import { producerMetrics } from '@carbon/messaging';
import { collectorMetrics, counter, gauge, histogram, httpMetrics, REQUEST_SECONDS } from '@carbon/observability';

const UPSTREAM = 'The client of the other app: `offsets`, `offset_lookups`, `offset_fingerprints`, `catalog`.';

/** The metrics of offsets. */
export const offsetMetrics = {
  accepted: counter('carbon_gateway_offsets_accepted_total', 'Offsets answered with 202.', {
    replayed: '`true` when an earlier request was accepted under the same key, and nothing was published.',
  }),
  lookups: counter(
    'carbon_gateway_idempotency_lookups_total',
    'Look-ups of idempotency keys in the offsets service, for offsets that this process does not know.',
    {
      outcome:
        '`recorded`; `unrecorded`; `unknown`: no usable response within `REPLAY_TIMEOUT_MS`, so the offset is accepted without it.',
    },
  ),
};

/** The metrics of calls to other apps. */
export const upstreamMetrics = {
  duration: histogram(
    'carbon_gateway_upstream_request_duration_seconds',
    'Calls to another app, with the wait for a free connection.',
    REQUEST_SECONDS,
    {
      upstream: UPSTREAM,
      outcome:
        '`answered`, whatever the status; `failed`; `breaker_open` (not sent); `rejected` (queue full, or no free connection in time); `abandoned` (the client disconnected, or the call started too late).',
    },
  ),
  breakerOpen: gauge(
    'carbon_gateway_upstream_circuit_breaker_open',
    'Whether calls to the other app fail at once after failures (1) or are sent (0).',
    { upstream: UPSTREAM },
  ),
};

/** How long before its end an API key counts as expiring. */
export const EXPIRING_DAYS = 7;

/** The metrics of API keys; without values while the gateway is open. */
export const keyMetrics = {
  reloadSuccessful: gauge(
    'carbon_gateway_key_file_last_reload_successful',
    'Whether the API keys are those of the key file (1), or older ones because it is missing, unreadable or invalid (0). Absent while the gateway is open.',
  ),
  activeKeys: gauge(
    'carbon_gateway_api_keys_active',
    'API keys that are neither revoked nor expired. Absent while the gateway is open.',
  ),
  expiringKeys: gauge(
    'carbon_gateway_api_keys_expiring',
    `Active API keys that expire within ${EXPIRING_DAYS} days, or within the last fifth of their life if that is shorter, unless their account has a key that is valid for longer and has their scopes. Absent while the gateway is open.`,
  ),
};

const LIMIT =
  'What is limited: the requests of a `key`, those of an address while the gateway is `open`, or those of an address without a valid key (`failed_key`).';

/** The metrics of rate limits. */
export const limitMetrics = {
  decisions: counter('carbon_gateway_rate_limit_decisions_total', 'Requests that were counted against a limit.', {
    limit: LIMIT,
    outcome: '`admitted`, which for `failed_key` is answered with 401; `refused`: answered with 429.',
    store: 'Where the request was counted: in the process (`local`), or in `redis`.',
  }),
  buckets: gauge(
    'carbon_gateway_rate_limit_buckets',
    'Recent callers that this process counts separately. At `RATE_LIMIT_CALLERS` new ones are counted together.',
    { limit: LIMIT },
  ),
  redisUp: gauge(
    'carbon_gateway_rate_limit_redis_up',
    'Whether requests are counted in Redis (1), or in each process because Redis does not answer (0). Absent without `RATE_LIMIT_REDIS_URL`.',
  ),
  redisDuration: histogram('carbon_gateway_rate_limit_redis_duration_seconds', 'Calls to Redis.', REQUEST_SECONDS, {
    outcome: '`answered`; `timeout`; `failed`, also when it was not called because it failed before.',
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
  collectorMetrics('gateway'),
];
