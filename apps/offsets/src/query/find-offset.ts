import type { OffsetView } from '@carbon/contracts';
import { Injectable } from '@nestjs/common';
import { OffsetEntity } from '../persistence/offset.entity.js';
import { OwnRows } from '../persistence/own-rows.js';
import { awaitRecorded } from './await-recorded.js';
import { currentUnless, isFinished } from './current-unless.js';
import { viewsOf } from './retired-lines.js';

/** Finds one offset of an account. */
@Injectable()
export class FindOffset {
  constructor(private readonly rows: OwnRows) {}

  /** Waits for a new offset that is not recorded yet, at most 1 s; then RequestError `not_found`. */
  async run(account: string, id: string): Promise<OffsetView> {
    return currentUnless(
      ({ status }) => isFinished(status),
      this.rows,
      () =>
        awaitRecorded(id, async () => {
          const offset = await this.rows.one(OffsetEntity, account, id);
          const [view] = offset ? await viewsOf(this.rows, account, [offset]) : [];
          return view;
        }),
    );
  }
}
