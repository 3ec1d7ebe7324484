import type { AssetFieldName } from '@carbon/contracts';
import type { Place } from '@carbon/paging';
import type { FullText } from './full-text/terms.js';
import { fullTextQuery } from './full-text/tiers.js';
import { type SortKey, sortClauses } from './order.js';
import type { Query } from './query.js';

/** One page that is asked for. */
export interface PageWanted {
  /** What the criteria compile to; selects, and never ranks. */
  readonly filter: Query;
  readonly fullText: FullText;
  /** A total order. */
  readonly order: readonly SortKey[];
  /** The last document of the page before, by that order. */
  readonly after?: Place;
  readonly fields: readonly AssetFieldName[];
  readonly size: number;
}

/** What is searched for. */
export function searchQuery({ filter, fullText }: Pick<PageWanted, 'filter' | 'fullText'>): Query {
  return { bool: { filter: [filter], ...(!fullText.blank && { must: [fullTextQuery(fullText)] }) } };
}

/**
 * The body of the search for one page, and for how many there are on all pages.
 *
 * @param timeoutMs how long OpenSearch may search
 */
export function searchRequest({ after, fields, order, size, ...searched }: PageWanted, timeoutMs: number): Query {
  return {
    query: searchQuery(searched),
    sort: sortClauses(order),
    ...(after && { search_after: after }),
    size,
    _source: fields,
    track_total_hits: true,
    timeout: `${timeoutMs}ms`,
  };
}
