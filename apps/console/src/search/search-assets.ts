import type { AssetKind, CarbonClient, Listing, SearchPage, SearchQuery } from '@carbon/client';
import type { Query } from '../page/location.js';
import type { SearchState } from './snippets.js';

/** A found asset, with the fields that were requested. */
export interface FoundAsset {
  readonly id: string;
  readonly name: string;
  readonly price?: number;
  readonly vintages?: readonly number[];
  readonly rating?: number;
  readonly [field: string]: unknown;
}

/** Lists what a search finds. The service judges what a person typed; the client's types allow only what exists. */
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

/** The search in an address. */
export function searchOf(query: URLSearchParams): SearchState {
  const kind: AssetKind = query.get('kind') === 'pools' ? 'pools' : 'projects';
  const [criteria, text, sort] = ['criteria', 'text', 'sort'].map((name) => query.get(name) ?? '');
  return { kind, criteria: criteria ?? '', text: text ?? '', sort: sort ?? '' };
}

/** The query of an address for a search. */
export function queryOfSearch({ kind, ...rest }: SearchState): Query {
  return { ...(kind === 'pools' && { kind }), ...rest };
}
