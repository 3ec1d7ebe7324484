import { ASSET_FIELDS, type AssetFieldName, fieldView } from '@carbon/contracts';
import type { SortValues } from '@carbon/http';
import { z } from 'zod';
import { INDEX_FIELDS } from '../index/mapping.js';
import type { Query } from './clause-count.js';
import { fullTextQuery } from './full-text-query.js';
import type { FullText } from './full-text-terms.js';

/** One key of an order: a field, or the tier in which the full text puts a document. */
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

/** Beyond every valid date, and exact as a JSON number, which OpenSearch's own default is not. In ms. */
const NO_DATE = 8_640_000_000_000_000;

/** Appends name and id, so that the order is total: paging neither repeats nor skips an asset. Keys after id have no effect. */
export function totalOrder(keys: readonly SortKey[]): readonly SortKey[] {
  const all = [...keys, BY_NAME, BY_ID];
  const first = all.filter((key, place) => all.findIndex(({ by }) => by === key.by) === place);
  return first.slice(0, first.findIndex(({ by }) => by === 'id') + 1);
}

/** Assets without a value come last in either direction. */
function sortClause({ by, descending }: SortKey): Query {
  const order = descending ? 'desc' : 'asc';
  if (by === 'tier') return { _score: { order } };
  if (by === 'name') return { [INDEX_FIELDS.wholeName]: { order, missing: '_last' } };
  const isDate = ASSET_FIELDS[by].type === 'date';
  return { [by]: { order, missing: isDate ? (descending ? -NO_DATE : NO_DATE) : '_last' } };
}

/** One page of a search. */
export interface PageQuery {
  /** The compiled criteria; they filter and do not rank. */
  readonly filter: Query;
  readonly fullText: FullText;
  /** A total order. */
  readonly order: readonly SortKey[];
  /** The sort values of the previous page's last document. */
  readonly after?: SortValues;
  readonly fields: readonly AssetFieldName[];
  readonly size: number;
}

/** Criteria and full text as one query. */
export function searchQuery({ filter, fullText }: Pick<PageQuery, 'filter' | 'fullText'>): Query {
  return { bool: { filter: [filter], ...(!fullText.isBlank && { must: [fullTextQuery(fullText)] }) } };
}

/** The body of a search for one page and the total. */
export function searchBody({ after, fields, order, size, ...searched }: PageQuery): Query {
  return {
    query: searchQuery(searched),
    sort: order.map(sortClause),
    ...(after && { search_after: after }),
    size,
    _source: fields,
    track_total_hits: true,
  };
}

/** An asset in the index: those of the requested fields that it has. */
const storedAsset = z.object(
  Object.fromEntries((Object.keys(ASSET_FIELDS) as AssetFieldName[]).map((name) => [name, fieldView(name)])),
);

/** OpenSearch's response to a search. A sort value is null when the document lacks the text field. */
export const searchResponse = z.object({
  hits: z.object({
    total: z.object({ value: z.int(), relation: z.literal('eq') }),
    hits: z.array(
      z.object({ _source: storedAsset, sort: z.array(z.union([z.string(), z.number(), z.null()])).readonly() }),
    ),
  }),
});

/** The hits of a complete response. */
export type SearchHits = z.output<typeof searchResponse>['hits'];
