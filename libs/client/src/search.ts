import type { Criteria } from './criteria/criteria.js';
import type { SortableField } from './generated/asset-fields.js';
import { COMPLETIONS, FACETS, LIBRARY_SCHEMA, SEARCH_HINTS } from './generated/shapes.js';
import { cursorOf, Listing, type SearchPage, type Turned } from './listing.js';
import type { CallOptions } from './options.js';
import type { ApiRequest } from './request.js';
import { readArray, readObject, unexpected } from './response.js';
import type { ApiResponse } from './send.js';
import type { Transport } from './transport.js';
import type {
  Asset,
  AssetField,
  AssetKind,
  Completion,
  Facets,
  LibrarySchema,
  SearchHints,
  Shown,
  ShownFirst,
} from './types.js';

/** A field to sort by, with a `-` before it for descending. */
export type SortKey<Of extends AssetKind> = `${'' | '-'}${SortableField & AssetField<Of>}`;

/** The parameters of a search. */
export interface SearchQuery<Of extends AssetKind, Show extends Shown<Of> = ShownFirst<Of>> {
  /** Built by `where`, or text; every asset by default. */
  readonly criteria?: Criteria<Of> | string | undefined;
  /** Words and `"phrases"`; at most 256 characters. */
  readonly text?: string | undefined;
  /** The most important first; by relevance or rating by default. */
  readonly sort?: SortKey<Of> | readonly SortKey<Of>[] | undefined;
  /** The fields of each asset; `['*']` for all. */
  readonly fields?: readonly Show[] | undefined;
  /** The page size: 1 to 100, default 25. */
  readonly limit?: number | undefined;
  /** The cursor of an earlier page of the same search. */
  readonly cursor?: string | undefined;
}

/** The fields to count by. */
export interface FacetFields<Of extends AssetKind> {
  readonly fields?: readonly AssetField<Of>[] | undefined;
}

/** The search of one kind of asset. */
export class Search<Of extends AssetKind> {
  constructor(
    private readonly transport: Transport,
    private readonly kind: Of,
  ) {}

  /** Lists the matching assets, each once. */
  search<Show extends Shown<Of> = ShownFirst<Of>>(
    query: SearchQuery<Of, Show> = {},
    options?: CallOptions,
  ): Listing<Asset<Of, Show>, SearchPage<Asset<Of, Show>>> {
    return new Listing(async (next) => {
      const request = this.request(query, next);
      return this.pageOf<Show>(request, await this.transport.send(request, options));
    });
  }

  /** Returns the first page; undefined if it still has this `etag`. */
  async pageIfChanged<Show extends Shown<Of> = ShownFirst<Of>>(
    query: SearchQuery<Of, Show>,
    etag: string,
    options?: CallOptions,
  ): Promise<SearchPage<Asset<Of, Show>> | undefined> {
    const request = { ...this.request(query), headers: { 'if-none-match': etag }, expectedStatuses: [200, 304] };
    const response = await this.transport.send(request, options);
    return response.status === 304 ? undefined : this.pageOf<Show>(request, response).page;
  }

  /** Explains why a search finds nothing: what each clause matches alone, and values like those that it names. */
  async hints(
    { criteria = '', text = '' }: Pick<SearchQuery<Of>, 'criteria' | 'text'>,
    options?: CallOptions,
  ): Promise<SearchHints> {
    const query = { kind: this.kind, criteria: String(criteria), fullTextSearch: text };
    const request = { method: 'GET', path: '/v1/assets/hints', query, expectedStatuses: [200] } as const;
    return readObject<SearchHints>(await this.transport.send(request, options), SEARCH_HINTS);
  }

  /** Counts the assets that a search finds by fields, all by default; each value has the clause that narrows to it. */
  async facets(
    { criteria = '', text = '', fields }: Pick<SearchQuery<Of>, 'criteria' | 'text'> & FacetFields<Of> = {},
    options?: CallOptions,
  ): Promise<Facets> {
    const query = { kind: this.kind, criteria: String(criteria), fullTextSearch: text, fields: namesOf(fields) };
    const request = { method: 'GET', path: '/v1/assets/facets', query, expectedStatuses: [200] } as const;
    return readObject<Facets>(await this.transport.send(request, options), FACETS);
  }

  /** Returns what may stand at a caret in criteria, at the end by default; positions count UTF-16 code units, as strings do. */
  async complete(criteria: string, caret?: number, options?: CallOptions): Promise<readonly Completion[]> {
    const query = { kind: this.kind, criteria, caret };
    const request = { method: 'GET', path: '/v1/assets/complete', query, expectedStatuses: [200] } as const;
    const response = await this.transport.send(request, options);
    return readObject<{ readonly completions: readonly Completion[] }>(response, COMPLETIONS).completions;
  }

  private request(query: SearchQuery<Of, Shown<Of>>, next?: string): ApiRequest {
    const { criteria = '', text = '', sort, fields, limit, cursor } = query;
    const first = {
      criteria: String(criteria),
      fullTextSearch: text,
      sort: namesOf(sort === undefined ? [] : [sort].flat()),
      fields: namesOf(fields),
      limit,
      cursor,
    };
    return { method: 'GET', path: `/v1/assets/${this.kind}`, query: next ?? first, expectedStatuses: [200] };
  }

  private pageOf<Show extends Shown<Of>>(
    request: ApiRequest,
    response: ApiResponse,
  ): Turned<SearchPage<Asset<Of, Show>>> {
    const next = this.transport.nextQuery(request, response);
    const items = readArray<Asset<Of, Show>>(response, {});
    const etag = response.headers.get('etag') ?? undefined;
    const hints = response.headers.get('x-search-hints') ?? undefined;
    return { page: { items, cursor: cursorOf(next), total: totalOf(response), etag, hints }, next };
  }
}

/** Omits an empty list: the service rejects an empty parameter. */
function namesOf(names: readonly unknown[] = []): string | undefined {
  return names.length === 0 ? undefined : names.join(',');
}

function totalOf(response: ApiResponse): number {
  const total = response.headers.get('x-total-count') ?? '';
  if (!/^\d{1,15}$/.test(total)) throw unexpected(response, 'has no total count');
  return Number(total);
}

/** The asset library as a whole. */
export class Assets {
  constructor(private readonly transport: Transport) {}

  /** Returns the fields of pools and projects, with their operators and most common values. */
  async schema(options?: CallOptions): Promise<LibrarySchema> {
    const request = { method: 'GET', path: '/v1/assets/schema', expectedStatuses: [200] } as const;
    return readObject<LibrarySchema>(await this.transport.send(request, options), LIBRARY_SCHEMA);
  }
}
