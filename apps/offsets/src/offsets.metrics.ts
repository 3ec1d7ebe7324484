import { consumerMetrics, producerMetrics } from '@carbon/messaging';
import {
  BACKGROUND_SECONDS,
  BATCH_SIZES,
  collectorMetrics,
  counter,
  gauge,
  histogram,
  httpMetrics,
} from '@carbon/observability';

/** Gauges of rows count up to this number. */
export const MAX_COUNTED = 10_000;

const COUNTED = `Counted up to ${MAX_COUNTED}.`;
const SAME = 'The same from every instance: take the maximum.';

/** The progress of workers and consumers. */
export const progressMetrics = {
  recorded: counter('carbon_offsets_recorded_total', 'Offsets recorded for the first time.', {
    status: '`queued`, also where completed in the same transaction, or `failed` for invalid requests.',
  }),
  stateDuration: histogram(
    'carbon_offsets_state_duration_seconds',
    "How long offsets were in a state, by the database's clock; `queued` counts from their acceptance.",
    BACKGROUND_SECONDS,
    { state: 'The state that was left.', next: 'The one that was entered.' },
  ),
  settledDuration: histogram(
    'carbon_offsets_settled_duration_seconds',
    'From the acceptance of an offset to its outcome.',
    BACKGROUND_SECONDS,
    { status: '`completed` or `failed`.' },
  ),
  failed: counter('carbon_offsets_failed_total', 'Offsets that failed.', { code: 'The code of the failure.' }),
  retiredGrams: counter(
    'carbon_offsets_retired_grams_total',
    'Grams retired for completed offsets; 1e6 are one tonne.',
  ),
  retiredDollars: counter('carbon_offsets_retired_dollars_total', 'What the retired credits cost, in US dollars.'),
  allocationBatch: histogram(
    'carbon_offsets_allocation_batch_offsets',
    'Offsets that were decided in one transaction.',
    BATCH_SIZES,
  ),
  expiredLeases: counter(
    'carbon_offsets_expired_leases_claimed_total',
    'Rows claimed after the lease of another worker expired: that worker died or was suspended, or Kafka did not confirm.',
    { table: '`offsets` (not counted with an external registry, whose offsets wait without a lease) or `outbox`.' },
  ),
  workerFailures: counter(
    'carbon_offsets_worker_failures_total',
    'Batches of background work that failed; each is retried.',
    {
      worker:
        '`offset` (allocate and retire), `retire` (claim), `announce` (relay the outbox), `prune` or `prune-estimates`.',
    },
  ),
};

/** Queues in the tables, and what `npm run ledger` has stored there. */
export const storeMetrics = {
  queued: gauge('carbon_offsets_queued_offsets', `Offsets in \`queued\`. ${COUNTED} ${SAME}`),
  oldestQueued: gauge(
    'carbon_offsets_oldest_queued_age_seconds',
    `Since the acceptance of the oldest queued offset; 0 without one. ${SAME}`,
  ),
  processing: gauge('carbon_offsets_processing_offsets', `Offsets in \`processing\`. ${COUNTED} ${SAME}`),
  oldestProcessing: gauge(
    'carbon_offsets_oldest_processing_age_seconds',
    `Since the credits of the oldest offset in \`processing\` were reserved; 0 without one. ${SAME}`,
  ),
  unpublished: gauge('carbon_offsets_outbox_unpublished_rows', `Unpublished rows of the outbox. ${COUNTED} ${SAME}`),
  oldestUnpublished: gauge(
    'carbon_offsets_outbox_oldest_unpublished_age_seconds',
    `Since the oldest unpublished row of the outbox was inserted; 0 without one. ${SAME}`,
  ),
  lastAudit: gauge(
    'carbon_offsets_last_successful_audit_timestamp_seconds',
    `When the last \`npm run ledger -- audit\` without an error read this database, in Unix time; absent before the first. ${SAME}`,
  ),
};

/** The supply. */
export const supplyMetrics = {
  overhangGrams: gauge(
    'carbon_offsets_supply_overhang_grams',
    `Grams reserved and retired beyond what the library publishes as issued. ${SAME}`,
  ),
  overhangAssets: gauge('carbon_offsets_supply_overhang_assets', `Assets with an overhang. ${SAME}`),
  availableGrams: gauge(
    'carbon_offsets_supply_available_grams',
    `Grams of retirable assets that can still be reserved. ${SAME}`,
  ),
  retirableAssets: gauge(
    'carbon_offsets_supply_retirable_assets',
    `Retirable assets, exhausted ones included. ${SAME}`,
  ),
  availableAssets: gauge(
    'carbon_offsets_supply_available_assets',
    `Retirable assets with credits left to reserve. ${SAME}`,
  ),
  ready: gauge(
    'carbon_offsets_supply_ready',
    'Whether this process has read the supply, so that it allocates credits (1), or waits for it (0).',
  ),
};

/** The consumption of `offset.requested`. */
export const requestMetrics = {
  lost: gauge(
    'carbon_offsets_requests_lost_messages',
    'Requests that Kafka has deleted and the database may lack; nothing is consumed until an operator accepts the loss.',
  ),
  truncated: counter(
    'carbon_offsets_requests_truncated_partitions_total',
    'Partitions of `offset.requested` whose log ended before the stored position.',
  ),
};

/** Connections to PostgreSQL. */
export const poolMetrics = {
  connections: gauge('carbon_offsets_pool_connections', 'Open connections of this process to PostgreSQL.', {
    state: '`idle` or `busy`.',
  }),
  limit: gauge(
    'carbon_offsets_pool_connections_max',
    'The maximum number of connections of this process (DATABASE_POOL).',
  ),
  waiting: gauge('carbon_offsets_pool_waiting_requests', 'Queries and transactions that wait for a connection.'),
};

/** An external registry; absent with the built-in one. */
export const registryMetrics = {
  calls: counter('carbon_offsets_registry_attempts_total', 'Attempts to retire an offset at the external registry.', {
    outcome: '`retired`, `refused` (for good) or `unknown` (retried).',
  }),
  breakerOpen: gauge(
    'carbon_offsets_registry_breaker_open',
    'Whether the circuit breaker of the registry is open or half-open after failures (1), or closed (0). Absent without an external registry.',
  ),
};

/** Every metric of the offsets service, for the generated documents. */
export const offsetsMetrics = [
  httpMetrics('offsets'),
  progressMetrics,
  storeMetrics,
  supplyMetrics,
  requestMetrics,
  registryMetrics,
  consumerMetrics('offsets'),
  producerMetrics('offsets'),
  poolMetrics,
  collectorMetrics('offsets'),
];
