import { RESULT_FIELDS } from '@carbon/contracts';
import type { Place } from '@carbon/paging';
import { INDEX_FIELDS } from '../indexing/mapping.js';
import type { FullText } from './full-text/terms.js';
import { fullTextQuery } from './full-text/tiers.js';
import type { Query } from './query.js';

/** One page that is asked for. */
export interface PageWanted {
  /** What the criteria compile to; selects, and never ranks. */
  readonly filter: Query;
  readonly fullText: FullText;
  /** The last document of the page before. */
  readonly after?: Place;
  readonly size: number;
  /** How long OpenSearch may search, in ms. */
  readonly timeoutMs: number;
}

/** Name, then id: what makes every order total, so that paging neither repeats nor skips. */
const TIES = [{ [INDEX_FIELDS.wholeName]: 'asc' }, { id: 'asc' }] as const;
const BY_TIER = [{ _score: 'desc' }, ...TIES] as const;
const BY_RATING = [{ rating: { order: 'desc', missing: '_last' } }, ...TIES] as const;

/** What is searched for. */
export function searchQuery({ filter, fullText }: Pick<PageWanted, 'filter' | 'fullText'>): Query {
  return { bool: { filter: [filter], ...(!fullText.blank && { must: [fullTextQuery(fullText)] }) } };
}

/** The body of the search for one page. */
export function searchRequest({ filter, fullText, after, size, timeoutMs }: PageWanted): Query {
  const ranked = !fullText.blank;
  return {
    query: searchQuery({ filter, fullText }),
    sort: ranked ? BY_TIER : BY_RATING,
    ...(after && { search_after: after }),
    size,
    _source: RESULT_FIELDS,
    track_total_hits: false,
    timeout: `${timeoutMs}ms`,
  };
}
