import type { OffsetView } from '@carbon/contracts';
import { Injectable } from '@nestjs/common';
import { Database } from '../persistence/database.js';
import { OffsetEntity } from '../persistence/offset.entity.js';
import { awaitRecorded } from './await-recorded.js';
import { viewsOf } from './retired-lines.js';

/** Finds one offset of an account. */
@Injectable()
export class FindOffset {
  constructor(private readonly database: Database) {}

  /** Waits for an offset that is not recorded yet, at most 1 s; then UserFault `not_found`. */
  async run(account: string, id: string): Promise<OffsetView> {
    return awaitRecorded(async () => {
      const offset = await this.database.read((manager) => manager.findOneBy(OffsetEntity, { id, account }));
      const [view] = offset ? await viewsOf(this.database, [offset]) : [];
      return view;
    });
  }
}
