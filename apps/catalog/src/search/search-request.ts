import { ASSET_FIELDS, type AssetFieldName } from '@carbon/contracts';
import type { Place } from '@carbon/http';
import { INDEX_FIELDS } from '../index/mapping.js';
import type { Query } from './clauses.js';
import type { FullText } from './full-text/terms.js';
import { fullTextQuery } from './full-text/tiers.js';

/** One step of an order: by a field, or by the tier that full text puts a document in. */
export interface SortKey {
  readonly by: AssetFieldName | 'tier';
  readonly descending: boolean;
}

const BY_NAME: SortKey = { by: 'name', descending: false };
const BY_ID: SortKey = { by: 'id', descending: false };

/** The order without full text. */
export const BY_RATING: readonly SortKey[] = [{ by: 'rating', descending: true }];
/** The order with full text: the best tier first. */
export const BY_TIER: readonly SortKey[] = [{ by: 'tier', descending: true }];

/** Beyond every date that can be written, and exact as a JSON number: OpenSearch's own value for this is not. In ms. */
const NO_DATE = 8_640_000_000_000_000;

/**
 * The order made total: name, then id, decide between equals, so that paging neither repeats nor skips. No two assets have
 * the same id, so what comes behind it changes nothing.
 */
export function totalOrder(keys: readonly SortKey[]): readonly SortKey[] {
  const all = [...keys, BY_NAME, BY_ID].filter(
    (key, place, list) => list.findIndex(({ by }) => by === key.by) === place,
  );
  return all.slice(0, all.findIndex(({ by }) => by === 'id') + 1);
}

/** An order as OpenSearch takes it: what is absent stands last, whichever way round. */
export function sortClauses(keys: readonly SortKey[]): readonly Query[] {
  return keys.map(sortClause);
}

function sortClause({ by, descending }: SortKey): Query {
  const order = descending ? 'desc' : 'asc';
  if (by === 'tier') return { _score: { order } };
  if (by === 'name') return { [INDEX_FIELDS.wholeName]: { order, missing: '_last' } };
  const isDate = ASSET_FIELDS[by].type === 'date';
  return { [by]: { order, missing: isDate ? (descending ? -NO_DATE : NO_DATE) : '_last' } };
}

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
