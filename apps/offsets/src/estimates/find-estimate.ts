import type { EstimateView } from '@carbon/contracts';
import { RequestError } from '@carbon/http';
import { Injectable } from '@nestjs/common';
import { FindAssetNames } from '../persistence/asset-names.js';
import { EstimateEntity } from '../persistence/estimate.entity.js';
import { OwnRows } from '../persistence/own-rows.js';
import { estimateView } from './view.js';

/** Finds one estimate of an account. */
@Injectable()
export class FindEstimate {
  constructor(
    private readonly rows: OwnRows,
    private readonly names: FindAssetNames,
  ) {}

  /** RequestError `not_found` for one that the account does not have. */
  async run(account: string, id: string): Promise<EstimateView> {
    const estimate = await this.rows.one(EstimateEntity, account, id);
    if (!estimate) throw new RequestError('not_found', 'This account has no estimate with that id.');
    return this.viewOf(estimate);
  }

  /** The estimate as clients see it, with what the library last said of its assets. */
  async viewOf(estimate: EstimateEntity): Promise<EstimateView> {
    return estimateView(estimate, await this.names.of(estimate.lines.map(({ asset }) => asset)));
  }
}
