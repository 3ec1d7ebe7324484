import type { OffsetView } from '@carbon/contracts';
import { Cursors, nextAddress, nextLink, type Place } from '@carbon/paging';
import { Injectable } from '@nestjs/common';
import { Database } from '../persistence/database.js';
import { OffsetEntity } from '../persistence/offset.entity.js';
import { viewsOf } from './retired-lines.js';

/** What is asked of the list. */
export interface ListQuestion {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

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
    private readonly database: Database,
    private readonly cursors: Cursors,
  ) {}

  /** Pages by key, not by number, so nothing is given twice or left out while new offsets arrive. */
  async run(account: string, { limit, cursor }: ListQuestion): Promise<OffsetPage> {
    const scope = { route: ROUTE, account, parameters: {} };
    const after = cursor === undefined ? undefined : this.cursors.read(cursor, scope);
    const found = await this.page(account, limit + 1, after);
    const offsets = found.slice(0, limit);
    const last = found.length > limit ? offsets.at(-1) : undefined;
    const next = last && this.cursors.write([last.createdAt.toISOString(), last.id], scope);
    return {
      offsets: await viewsOf(this.database, offsets),
      link: next === undefined ? undefined : nextLink(nextAddress(ROUTE, { limit, cursor: next })),
    };
  }

  private page(account: string, limit: number, after: Place | undefined): Promise<OffsetEntity[]> {
    return this.database.read((manager) => {
      const offsets = manager.createQueryBuilder(OffsetEntity, 'o').where('o.account = :account', { account });
      if (after) {
        const [createdAt, id] = after;
        offsets.andWhere('(o.created_at, o.id) < (:createdAt::timestamptz, :id)', { createdAt, id });
      }
      return offsets.orderBy('o.createdAt', 'DESC').addOrderBy('o.id', 'DESC').limit(limit).getMany();
    });
  }
}
