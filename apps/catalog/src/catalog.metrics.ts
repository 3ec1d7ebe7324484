import { consumerMetrics } from '@carbon/messaging';
import { collectorMetrics, counter, gauge, histogram, httpMetrics, REQUEST_SECONDS } from '@carbon/observability';

const OPERATION = 'The kind of request: `search`, `schema` (of the schema page), `bulk` or `other`.';

/** Metrics of searches. */
export const searchMetrics = {
  searches: counter(
    'carbon_catalog_searches_total',
    'Successful searches, by the source of the response; those of the warm-up count, too.',
    {
      type: '`POOL` or `PROJECT`.',
      source:
        '`response` (the cached response), `page` (the cached page, or one that was being fetched) or `opensearch`.',
    },
  ),
};

/** Metrics of requests to OpenSearch. */
export const openSearchMetrics = {
  duration: histogram('carbon_catalog_opensearch_duration_seconds', 'Requests to OpenSearch.', REQUEST_SECONDS, {
    operation: OPERATION,
    outcome:
      '`answered`, `outage` (unreachable, too slow or overloaded), `rejected` or `abandoned` (every client had disconnected).',
  }),
  rejections: counter('carbon_catalog_opensearch_rejected_requests_total', 'Requests that OpenSearch rejected.', {
    operation: OPERATION,
    type: "OpenSearch's error type, such as `index_not_found_exception`.",
  }),
};

/** Metrics of the index. */
export const indexingMetrics = {
  generations: gauge('carbon_catalog_index_generations', 'Generations of the index in OpenSearch.', {
    state: '`live`, `building` (it may go live), `retired` (superseded by another) or `broken` (an index is missing).',
  }),
  searchable: gauge(
    'carbon_catalog_index_searchable',
    'Whether both aliases exist, so that the library can be searched.',
  ),
  stateAge: gauge(
    'carbon_catalog_index_state_age_seconds',
    'Time since the last successful pass over the generations, or since the start.',
  ),
};

/** Every metric of the catalog, for the generated documents. */
export const catalogMetrics = [
  httpMetrics('catalog'),
  searchMetrics,
  openSearchMetrics,
  indexingMetrics,
  consumerMetrics('catalog'),
  collectorMetrics('catalog'),
];
