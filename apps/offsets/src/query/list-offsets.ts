import type { OffsetView } from '@carbon/contracts';
import { Cursors, nextAddress, nextLink, type Place } from '@carbon/http';
import { Injectable } from '@nestjs/common';
import { OffsetEntity } from '../persistence/offset.entity.js';
import { OwnRows } from '../persistence/own-rows.js';
import { isFinished } from './current-unless.js';
import type { ListQuestion } from './list-parameters.js';
import { type ListPlace, pageStatement } from './page-statement.js';
import { shownTogether, viewsOf } from './retired-lines.js';

/** One page of an account's offsets. */
export interface OffsetPage {
  readonly offsets: OffsetView[];
  /** The `Link` header to the next page; undefined on the last. */
  readonly link: string | undefined;
}

const ROUTE = '/v1/offsets';

/** Lists an account's recorded offsets, newest first. */
@Injectable()
export class ListOffsets {
  constructor(
    private readonly rows: OwnRows,
    private readonly cursors: Cursors,
  ) {}

  /**
   * Pages by key, not by number, so nothing is given twice or left out while new offsets arrive.
   * A page of finished ones is true of any state of the database. @throws FenceLost where another page may be wrong, and while
   * offsets are recovered
   */
  async run(account: string, { filters, limit, cursor }: ListQuestion): Promise<OffsetPage> {
    const scope = { route: ROUTE, account, parameters: filters };
    const after = cursor === undefined ? undefined : placeOf(this.cursors.read(cursor, scope));
    // One more than is shown tells whether there is a next page.
    const found = await this.rows.entities(
      OffsetEntity,
      account,
      pageStatement({ account, filters, after, limit: limit + 1 }),
    );
    const offsets = await shownTogether(this.rows, account, found.slice(0, limit));
    if (offsets.every(({ status }) => isFinished(status))) await this.rows.mustNotRecover();
    else await this.rows.mustBeCurrent();
    const last = found.length > offsets.length ? offsets.at(-1) : undefined;
    const next = last && this.cursors.write([last.createdAt.toISOString(), last.id], scope);
    return {
      offsets: await viewsOf(this.rows, account, offsets),
      link: next === undefined ? undefined : nextLink(nextAddress(ROUTE, { ...filters, limit, cursor: next })),
    };
  }
}

function placeOf([createdAt, id]: Place): ListPlace {
  return { createdAt: String(createdAt), id: String(id) };
}
