import { consumerMetrics } from '@carbon/messaging';
import { counter, figureMetrics, gauge, histogram, httpMetrics, REQUEST_SECONDS } from '@carbon/observability';

const OPERATION = 'What was asked of OpenSearch: `search`, `figures` (of the schema page), `bulk` or `other`.';

/** What the catalog counts of its searches. */
export const searchMetrics = {
  searches: counter('carbon_catalog_searches_total', 'Searches for which an answer was had, by where it came from.', {
    type: '`POOL` or `PROJECT`.',
    source:
      '`answer` (kept whole, of the last second), `page` (the page was kept, or was being asked for) or `opensearch`.',
  }),
};

/** What the catalog counts of its questions to OpenSearch. */
export const openSearchMetrics = {
  duration: histogram('carbon_catalog_opensearch_duration_seconds', 'Questions to OpenSearch.', REQUEST_SECONDS, {
    operation: OPERATION,
    outcome: '`answered`, `outage` (away, too slow or overloaded), `refused` or `abandoned` (nobody waited any more).',
  }),
  refusals: counter('carbon_catalog_opensearch_refusals_total', 'Questions that OpenSearch refused.', {
    operation: OPERATION,
    type: "OpenSearch's word for the reason, such as `index_not_found_exception`.",
  }),
};

/** What the catalog tells of the index. */
export const indexingMetrics = {
  generations: gauge('carbon_catalog_index_generations', 'Generations of the index that stand in OpenSearch.', {
    state: '`live`, `building` (it may go live), `retired` (another has its place) or `broken` (an index is missing).',
  }),
  searchable: gauge(
    'carbon_catalog_index_searchable',
    'Whether both aliases stand, so that the library can be searched.',
  ),
  lookAge: gauge(
    'carbon_catalog_index_look_age_seconds',
    'How long ago it was last seen how the generations stand; absent before the first time.',
  ),
};

/** Every metric of the catalog, for the documents. */
export const catalogMetrics = [
  httpMetrics('catalog'),
  searchMetrics,
  openSearchMetrics,
  indexingMetrics,
  consumerMetrics('catalog'),
  figureMetrics('catalog'),
];
