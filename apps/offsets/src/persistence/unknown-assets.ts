import type { Query } from './database.js';

/**
 * Inserts those of these assets that the supply does not know, inactive and without a price, until the topic brings them, and
 * locks the rows of all. For retirements that are final although this database has forgotten, or never known, their asset.
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
