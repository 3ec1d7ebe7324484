import { LIST_PARAMETERS, OFFSETS_PER_PAGE, type OffsetView } from '@carbon/contracts';
import { Cursors, invalidRequest, nextLink, nextPageUrl, readParameters } from '@carbon/http';
import { Injectable } from '@nestjs/common';
import { OwnRows } from '../persistence/own-rows.js';
import { isFinalStatus } from './await-recorded.js';
import { type OffsetViewRows, offsetView, offsetViewRow, rowsByOffset } from './offset-view.js';
import { type Filters, pageStatement, rowsOf } from './page-statement.js';

/** A query for a page of the list. */
export interface ListQuery {
  readonly filters: Filters;
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** One page of an account's offsets. */
export interface OffsetPage {
  readonly offsets: OffsetView[];
  /** The `Link` header to the next page; undefined on the last. */
  readonly link: string | undefined;
}

const ROUTE = '/v1/offsets';
/**
 * Retirements on one page, unless its only offset has more: some 4 MB where the names of all assets are as long as they
 * may be.
 */
const MAX_PAGE_LINES = 3_000;

/** Reads pages of an account's recorded offsets, newest first. */
@Injectable()
export class OffsetPager {
  constructor(
    private readonly rows: OwnRows,
    private readonly cursors: Cursors,
  ) {}

  /**
   * Pages by key, not by number, so that nothing is repeated or left out while new offsets arrive. A page of final offsets is true
   * of any state of the database.
   * @throws FenceLost where another page may be wrong, and while outcomes are recovered
   */
  async page(account: string, { filters, limit, cursor }: ListQuery): Promise<OffsetPage> {
    const scope = { route: ROUTE, account, parameters: filters };
    const place = cursor === undefined ? undefined : this.cursors.read(cursor, scope);
    const after = place && { createdAt: String(place[0]), id: String(place[1]) };
    // One row beyond the page tells whether there is a next page.
    const statement = pageStatement({ account, filters, after, limit: limit + 1 });
    const found = rowsByOffset(await this.rows.list(account, offsetViewRow, rowsOf(statement)));
    const page = found.slice(0, Math.min(limit, withinLines(found)));
    if (!page.every(([{ status }]) => isFinalStatus(status))) await this.rows.requireCurrentDatabase();
    const [last] = page.at(-1) ?? [];
    const isLastPage = last === undefined || page.length === found.length;
    const next = isLastPage ? undefined : this.cursors.write([last.created_at.toISOString(), last.id], scope);
    return {
      offsets: page.map(offsetView),
      link: next === undefined ? undefined : nextLink(nextPageUrl(ROUTE, { ...filters, limit, cursor: next })),
    };
  }
}

/** Returns how many of the first offsets have few enough retirements together; at least one. */
function withinLines(offsets: readonly OffsetViewRows[]): number {
  let lines = 0;
  const end = offsets.findIndex((rows, place) => {
    lines += rows.length;
    return place > 0 && lines > MAX_PAGE_LINES;
  });
  return end === -1 ? offsets.length : end;
}

/** Parses the query of a raw URL. @throws RequestError `invalid_request` with every error in it */
export function parseListQuery(rawUrl: string): ListQuery {
  const { limit = OFFSETS_PER_PAGE, cursor, ...filters } = readParameters(rawUrl, LIST_PARAMETERS, ['id']);
  requireOrder(filters);
  return { filters, limit, cursor };
}

/** An empty range is an error, because an empty list would hide it. */
function requireOrder({ createdFrom, createdTo }: Filters): void {
  if (createdFrom === undefined || createdTo === undefined) return;
  if (Date.parse(createdFrom.toUpperCase()) < Date.parse(createdTo.toUpperCase())) return;
  throw invalidRequest([{ field: 'createdTo', code: 'invalid_parameter', detail: 'must be later than createdFrom' }]);
}
