import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndexes } from './build-indexes.js';

/**
 * Whether an asset is used up, as a column that changes only when that changes. A partial index can use it in its
 * predicate; with the sums themselves in the predicate, every batch would update the index. The database computes it, so
 * it is correct for writers of this version and of the previous one.
 *
 * Adding the column rewrites the table, which is locked meanwhile: under a second for 10,000 assets, a few seconds for
 * 100,000, up to half a minute for a million. Requests are accepted as usual, and allocated afterwards. The index is
 * built concurrently. `supply_by_preference` stays for processes of the previous version, whose queries cannot use the new
 * one; a later version drops it.
 */
export class ExhaustedSupply1795219200014 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE supply ADD COLUMN IF NOT EXISTS exhausted boolean NOT NULL
       GENERATED ALWAYS AS (issued <= reserved + retired) STORED`,
    );
    await buildIndexes(runner, 'supply', {
      supply_available: `(price_micros, rating DESC NULLS LAST, asset_id)
        WHERE active AND price_micros IS NOT NULL AND published_issued IS NOT NULL AND NOT exhausted`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX supply_available');
    await runner.query('ALTER TABLE supply DROP COLUMN exhausted');
  }
}
