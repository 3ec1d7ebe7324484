import type { Query } from './database.js';

/**
 * Locks the rows of these assets, after it has inserted those that the supply lacks, inactive and without a price. For retirements
 * that are final although this database does not know their asset.
 */
export async function lockEvenUnknownAssets(query: Query, assets: readonly string[]): Promise<void> {
  await query(
    `INSERT INTO supply (asset_id, type, active, issued, version, brought_in)
     SELECT id, CASE WHEN starts_with(id, 'proj_') THEN 'PROJECT' ELSE 'POOL' END, false, 0, 0, 0
     FROM unnest($1::text[]) AS asset (id) ORDER BY id ON CONFLICT (asset_id) DO NOTHING`,
    [assets],
  );
  await query('SELECT FROM supply WHERE asset_id = ANY ($1) ORDER BY asset_id FOR UPDATE', [assets]);
}
