import { Injectable } from '@nestjs/common';
import { Database } from './database.js';

/** What the library last said of an asset's names. It is the same for every account. */
export interface AssetNames {
  readonly asset_id: string;
  readonly ticker: string | null;
  readonly address: string | null;
}

/** Finds the names of assets. */
@Injectable()
export class FindAssetNames {
  constructor(private readonly database: Database) {}

  /** By asset; those that the library never named are missing. */
  async of(assets: readonly string[]): Promise<ReadonlyMap<string, AssetNames>> {
    const sql = 'SELECT asset_id, ticker, address FROM supply WHERE asset_id = ANY ($1)';
    const names = await this.database.query<AssetNames>(sql, [assets]);
    return new Map(names.map((one) => [one.asset_id, one]));
  }
}
