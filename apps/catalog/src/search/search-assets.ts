import type { AssetType } from '@carbon/contracts';
import { invalidRequest } from '@carbon/faults';
import { Cursors, nextLink } from '@carbon/paging';
import { Injectable } from '@nestjs/common';
import { Refusal } from '../open-search/refusal.js';
import { AssetSearch } from './asset-search.js';
import { clausesIn, MOST_CLAUSES } from './clauses.js';
import { criteriaFilter } from './criteria-filter.js';
import { readFullText } from './full-text/terms.js';
import type { Query } from './query.js';
import type { AssetView } from './search-answer.js';
import type { SearchParameters } from './search-parameters.js';
import { type PageWanted, searchQuery } from './search-request.js';

/** A search of one account at one address. */
export interface AssetQuestion {
  readonly type: AssetType;
  readonly route: string;
  readonly account: string;
  readonly parameters: SearchParameters;
}

/** One page of assets and, unless it is the last, the `Link` header to the next. */
export interface AssetPage {
  readonly assets: readonly AssetView[];
  readonly link?: string;
}

const DEFAULT_LIMIT = 25;

/** Searches the pools or the projects of the library. */
@Injectable()
export class SearchAssets {
  constructor(
    private readonly search: AssetSearch,
    private readonly cursors: Cursors,
  ) {}

  /** @throws UserFault invalid_criteria, invalid_cursor, invalid_request @throws TransientFault when the library cannot be searched now */
  async run({ type, route, account, parameters }: AssetQuestion): Promise<AssetPage> {
    const { criteria, fullTextSearch, cursor, limit = DEFAULT_LIMIT } = parameters;
    const { query: filter, canonical } = criteriaFilter(criteria, type);
    const scope = { route, account, parameters: { criteria, fullTextSearch } };
    const after = cursor === undefined ? undefined : this.cursors.read(cursor, scope);
    const fullText = readFullText(fullTextSearch);
    if (!fullText.blank) refuseTooMuch(searchQuery({ filter, fullText }));
    // One more than asked for tells whether there is a next page.
    const hits = await this.page(type, { filter, fullText, size: limit + 1, ...(after && { after }) }, canonical);
    const page = hits.slice(0, limit);
    const assets = page.map((hit) => hit._source);
    const last = page.at(-1);
    if (hits.length <= limit || last === undefined) return { assets };
    return { assets, link: nextLink(route, { ...parameters, cursor: this.cursors.write(last.sort, scope) }) };
  }

  private async page(type: AssetType, wanted: Omit<PageWanted, 'timeoutMs'>, canonical: string) {
    try {
      return await this.search.page(type, wanted);
    } catch (error) {
      // What was compiled must be accepted: it is a bug of the compiler, and the canonical form shows where.
      if (!(error instanceof Refusal)) throw error;
      throw new Error(`OpenSearch refuses what the criteria were compiled to: ${canonical}`, { cause: error });
    }
  }
}

/** Criteria and words are each within their limits; together they may be more than OpenSearch takes. */
function refuseTooMuch(query: Query): void {
  if (clausesIn(query) <= MOST_CLAUSES) return;
  const detail = 'has too many words to be searched for together with this many criteria; shorten either';
  throw invalidRequest([{ field: 'fullTextSearch', code: 'invalid_parameter', detail }]);
}
