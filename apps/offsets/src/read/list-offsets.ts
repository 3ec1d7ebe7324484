import type { OffsetView } from '@carbon/contracts';
import { Injectable } from '@nestjs/common';
import { Database } from '../persistence/database.js';
import { OffsetEntity } from '../persistence/offset.entity.js';
import { Cursors } from './cursors.js';
import { viewsOf } from './retired-lines.js';

/** What is asked of the list. */
export interface ListQuestion {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface OffsetPage {
  readonly offsets: OffsetView[];
  /** Where the next page begins; undefined on the last. */
  readonly cursor: string | undefined;
}

/** Lists an account's recorded offsets, newest first. */
@Injectable()
export class ListOffsets {
  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
  ) {}

  /** Pages by key, not by number, so nothing is given twice or left out while new offsets arrive. */
  async run(account: string, { limit, cursor }: ListQuestion): Promise<OffsetPage> {
    const scope = ['/v1/offsets', account];
    const after = cursor === undefined ? undefined : this.cursors.open(scope, cursor);
    const found = await this.page(account, limit + 1, after);
    const offsets = found.slice(0, limit);
    const last = found.length > limit ? offsets.at(-1) : undefined;
    return {
      offsets: await viewsOf(this.database, offsets),
      cursor: last && this.cursors.seal(scope, [last.createdAt.toISOString(), last.id]),
    };
  }

  private page(account: string, limit: number, after: readonly string[] | undefined): Promise<OffsetEntity[]> {
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
