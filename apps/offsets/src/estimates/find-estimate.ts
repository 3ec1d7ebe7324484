import type { EstimateView } from '@carbon/contracts';
import { UserFault } from '@carbon/faults';
import { Injectable } from '@nestjs/common';
import { Database } from '../persistence/database.js';
import { EstimateEntity } from '../persistence/estimate.entity.js';
import { type AssetNames, estimateView } from './view.js';

/** Finds one estimate of an account. */
@Injectable()
export class FindEstimate {
  constructor(private readonly database: Database) {}

  /** UserFault `not_found` for one that the account does not have. */
  async run(account: string, id: string): Promise<EstimateView> {
    const estimate = await this.database.read((manager) => manager.findOneBy(EstimateEntity, { id, account }));
    if (!estimate) throw new UserFault('not_found', 'This account has no estimate with that id.');
    return this.viewOf(estimate);
  }

  /** The estimate as clients see it, with what the library last said of its assets. */
  async viewOf(estimate: EstimateEntity): Promise<EstimateView> {
    const names = await this.database.query<AssetNames>(
      'SELECT asset_id, ticker, address FROM supply WHERE asset_id = ANY ($1)',
      [estimate.lines.map(({ asset }) => asset)],
    );
    return estimateView(estimate, new Map(names.map((one) => [one.asset_id, one])));
  }
}
