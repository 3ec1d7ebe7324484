import { costMicros, creditsFromGrams, type EstimateView, usdFromMicros } from '@carbon/contracts';
import { RequestError } from '@carbon/http';
import { Injectable } from '@nestjs/common';
import { EstimateEntity } from '../persistence/estimate.entity.js';
import { OwnRows } from '../persistence/own-rows.js';
import { type LineRow, lineView } from '../query/offset-view.js';

/** Reads estimates of an account. */
@Injectable()
export class EstimateReader {
  constructor(private readonly rows: OwnRows) {}

  /** @throws RequestError `not_found` */
  async find(account: string, id: string): Promise<EstimateView> {
    const estimate = await this.entity(account, id);
    if (estimate === undefined) throw new RequestError('not_found', 'This account has no estimate with that id.');
    return this.view(estimate);
  }

  /** Returns an estimate of the account; undefined where it has none with this id. */
  entity(account: string, id: string): Promise<EstimateEntity | undefined> {
    return this.rows.one(EstimateEntity, account, id);
  }

  /**
   * Returns an estimate as clients see it: decimal credits and dollars, and the ticker, address and vintages of each asset as last
   * published.
   */
  async view({ id, account, ...estimate }: EstimateEntity): Promise<EstimateView> {
    const lines = await this.rows.query<LineRow & { readonly used_by: string | null }>(
      account,
      `SELECT line ->> 'asset' AS asset_id, line ->> 'grams' AS grams, line ->> 'priceMicros' AS price_micros, ticker, address, vintages,
         (SELECT offsets.id FROM offsets WHERE offsets.account = estimates.account AND offsets.estimate_id = estimates.id
            AND offsets.status IN ('processing', 'completed') LIMIT 1) AS used_by
       FROM estimates CROSS JOIN LATERAL json_array_elements(lines) WITH ORDINALITY AS element (line, place)
       LEFT JOIN supply ON supply.asset_id = line ->> 'asset'
       WHERE account = $1 AND estimates.id = $2 ORDER BY place`,
      [id],
    );
    const usedBy = lines[0]?.used_by;
    const cost = lines.reduce((sum, line) => sum + costMicros(BigInt(line.grams), BigInt(line.price_micros)), 0n);
    return {
      id,
      kgCO2e: estimate.kgCO2e,
      credits: creditsFromGrams(BigInt(estimate.grams)),
      cost: usdFromMicros(cost),
      currency: 'USD',
      allocations: lines.map(lineView),
      createdAt: estimate.createdAt.toISOString(),
      expiresAt: estimate.expiresAt.toISOString(),
      ...(typeof usedBy === 'string' && { usedBy }),
    };
  }
}
