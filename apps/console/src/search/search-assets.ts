import type { AssetKind, CarbonClient, Listing, SearchPage, SearchQuery } from '@carbon/client';
import type { Query } from '../page/location.js';
import type { SearchState } from './snippets.js';

/** A found asset, with the fields that were requested. */
export interface FoundAsset {
  readonly id: string;
  readonly name: string;
  readonly price?: number;
  readonly active?: boolean;
  readonly vintages?: readonly number[];
  readonly rating?: number;
  readonly [field: string]: unknown;
}

/** Searches assets. The query is cast, because users may type what the client's types exclude; the service validates it. */
export function searchAssets(
  carbon: CarbonClient,
  { kind, criteria, text, sort }: SearchState,
  more: { readonly fields: readonly string[]; readonly limit?: number; readonly cursor?: string | undefined },
  signal: AbortSignal,
): Listing<FoundAsset, SearchPage<FoundAsset>> {
  const query: unknown = { criteria, text, ...(sort !== '' && { sort }), ...more };
  const listing: unknown =
    kind === 'pools'
      ? carbon.pools.search(query as SearchQuery<'pools'>, { signal })
      : carbon.projects.search(query as SearchQuery<'projects'>, { signal });
  return listing as Listing<FoundAsset, SearchPage<FoundAsset>>;
}

/** Returns the search that a URL's query describes. */
export function searchOf(query: URLSearchParams): SearchState {
  const kind: AssetKind = query.get('kind') === 'pools' ? 'pools' : 'projects';
  const [criteria, text, sort] = ['criteria', 'text', 'sort'].map((name) => query.get(name) ?? '');
  return { kind, criteria: criteria ?? '', text: text ?? '', sort: sort ?? '' };
}

/** Returns the URL query of a search. */
export function queryOfSearch({ kind, ...rest }: SearchState): Query {
  return { ...(kind === 'pools' && { kind }), ...rest };
}
