import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndexes } from './build-indexes.js';

/**
 * Whether an asset is used up, as a column whose value changes only when that does: an index may have it in its condition,
 * while the sums that it is made of change with every batch and would make each of those changes one of the index too. The
 * database computes it, so whoever writes the supply, of this version or the one before, keeps it right.
 *
 * The column writes the table anew, which nobody can use meanwhile: under a second for 10,000 assets, a few for 100,000, up
 * to half a minute for a million. Requests are taken as ever, and allocated after it. The index is built beside the work;
 * `supply_by_preference` stays for processes of the version before, which cannot use this one; a later version drops it.
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
