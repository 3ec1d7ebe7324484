import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The vintages of each asset, for retirements and receipts. A rebuild from the asset topic fills them in for the assets that are
 * known already.
 */
export class SupplyVintages1795219200021 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE supply ADD COLUMN vintages integer[]');
    await runner.query(
      'UPDATE supply_reading SET id = gen_random_uuid(), number = number + 1 WHERE EXISTS (SELECT FROM supply)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE supply DROP COLUMN vintages');
  }
}
