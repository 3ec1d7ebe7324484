import { setTimeout as sleep } from 'node:timers/promises';
import type { OffsetView } from '@carbon/contracts';
import { UserFault } from '@carbon/faults';
import { Injectable } from '@nestjs/common';
import { Database } from '../persistence/database.js';
import { OffsetEntity } from '../persistence/offset.entity.js';
import { viewsOf } from './retired-lines.js';

/** Looks, in milliseconds after the first: an accepted offset is on its way here, mostly for some hundredths of a second. */
const LOOKS = [0, 20, 60, 120, 250, 500, 750, 1_000];

/** Finds one offset of an account. */
@Injectable()
export class FindOffset {
  constructor(private readonly database: Database) {}

  /** Waits for an offset that is not recorded yet, at most 1 s; then UserFault `not_found`. */
  async run(account: string, id: string): Promise<OffsetView> {
    const begin = performance.now();
    for (const look of LOOKS) {
      await sleep(Math.max(0, look - (performance.now() - begin)));
      const offset = await this.database.read((manager) => manager.findOneBy(OffsetEntity, { id, account }));
      const [view] = offset ? await viewsOf(this.database, [offset]) : [];
      if (view) return view;
    }
    throw new UserFault('not_found', 'No offset is recorded under this id.');
  }
}
