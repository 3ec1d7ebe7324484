import { publishingMetrics } from '@carbon/messaging';
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

/** Every metric of the gateway, for the documents. */
export const gatewayMetrics = [
  httpMetrics('gateway'),
  offsetMetrics,
  publishingMetrics('gateway'),
  upstreamMetrics,
  figureMetrics('gateway'),
];
