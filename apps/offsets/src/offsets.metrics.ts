import { consumerMetrics, producerMetrics } from '@carbon/messaging';
import {
  BACKGROUND_SECONDS,
  BATCH_SIZES,
  counter,
  figureMetrics,
  gauge,
  histogram,
  httpMetrics,
} from '@carbon/observability';

/** As far as rows are counted; what is more is shown as this. */
export const MOST_COUNTED = 10_000;

const COUNTED = `Counted up to ${MOST_COUNTED}.`;
const SAME = 'The same from every instance: take the maximum.';

/** What the offsets service counts of the offsets that it moves on. */
export const progressMetrics = {
  recorded: counter('carbon_offsets_recorded_total', 'Offsets recorded for the first time.', {
    status: '`queued`, those completed at once included, or `failed` for requests that can be read but not honoured.',
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
  allocationBatch: histogram(
    'carbon_offsets_allocation_batch_offsets',
    'Offsets that were decided in one transaction.',
    BATCH_SIZES,
  ),
  takenOver: counter(
    'carbon_offsets_leases_taken_over_total',
    'Rows taken over because the lease of whoever held them had run out: it died, slept, or Kafka did not confirm.',
    { table: '`offsets` (not counted with an external registry, whose offsets wait without a holder) or `outbox`.' },
  ),
  workFailures: counter(
    'carbon_offsets_work_failures_total',
    'Batches of background work that failed and are tried again.',
    {
      worker: '`offset` (allocate and retire), `retire` (take over), `announce`, or one of the prunings.',
    },
  ),
};

/** What the offsets service reads from its tables when somebody looks. */
export const storeMetrics = {
  queued: gauge('carbon_offsets_queued_offsets', `Offsets in \`queued\`. ${COUNTED} ${SAME}`),
  oldestQueued: gauge(
    'carbon_offsets_oldest_queued_age_seconds',
    `Since the acceptance of the oldest queued offset; 0 when there is none. ${SAME}`,
  ),
  processing: gauge('carbon_offsets_processing_offsets', `Offsets in \`processing\`. ${COUNTED} ${SAME}`),
  oldestProcessing: gauge(
    'carbon_offsets_oldest_processing_age_seconds',
    `Since an offset that is still in \`processing\` was given its credits, the longest; 0 when there is none. ${SAME}`,
  ),
  unsent: gauge(
    'carbon_offsets_outbox_unsent_rows',
    `Events that are written down and not announced. ${COUNTED} ${SAME}`,
  ),
  oldestUnsent: gauge(
    'carbon_offsets_outbox_oldest_unsent_age_seconds',
    `Since the oldest of them was written down; 0 when there is none. ${SAME}`,
  ),
};

/** What the offsets service reads of its supply when somebody looks. */
export const supplyMetrics = {
  overhangGrams: gauge(
    'carbon_offsets_supply_overhang_grams',
    `Reserved and retired beyond what the library says is issued. ${SAME}`,
  ),
  overhangAssets: gauge('carbon_offsets_supply_overhang_assets', `Assets of which that is so. ${SAME}`),
  availableGrams: gauge(
    'carbon_offsets_supply_available_grams',
    `What can still be reserved, of all assets that may be retired from. ${SAME}`,
  ),
  retirableAssets: gauge(
    'carbon_offsets_supply_retirable_assets',
    `Assets that may be retired from, empty ones included. ${SAME}`,
  ),
  caughtUp: gauge(
    'carbon_offsets_supply_caught_up',
    'Whether this process knows what there is, so that it gives credits out (1) or waits (0).',
  ),
};

/** What the offsets service tells of the topic that it consumes requests from. */
export const requestMetrics = {
  lost: gauge(
    'carbon_offsets_requests_lost_messages',
    'Requests that Kafka has deleted and the database may lack; nothing is consumed until that is accepted.',
  ),
  truncated: counter(
    'carbon_offsets_requests_truncated_partitions_total',
    'Partitions of `offset.requested` that ended before what had been consumed of them.',
  ),
};

/** What the offsets service tells of its connections to PostgreSQL. */
export const poolMetrics = {
  connections: gauge('carbon_offsets_pool_connections', 'Connections to PostgreSQL that this process holds.', {
    state: '`idle` or `busy`.',
  }),
  limit: gauge('carbon_offsets_pool_connections_max', 'How many it may hold (DATABASE_POOL).'),
  waiting: gauge('carbon_offsets_pool_waiting_requests', 'Work that waits for a connection.'),
};

/** What the offsets service tells of an external registry. Absent with the built-in one. */
export const registryMetrics = {
  calls: counter(
    'carbon_offsets_registry_attempts_total',
    'Attempts to have an offset retired by the external registry.',
    {
      outcome: '`retired`, `refused` (for good) or `unknown` (asked again).',
    },
  ),
  breakerOpen: gauge(
    'carbon_offsets_registry_breaker_open',
    'Whether the registry is left alone for a while, or tried with one offset, after failures (1) or asked (0).',
  ),
};

/** Every metric of the offsets service, for the documents. */
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
  figureMetrics('offsets'),
];
