import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * For external registries: how often the registry was called about an offset, and its reference of the retirement. Both tables are
 * locked only while the columns are added; another migration builds the indexes.
 */
export class ExternalRegistry1795219200007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE offsets ADD COLUMN registry_attempts integer NOT NULL DEFAULT 0');
    await runner.query('ALTER TABLE ledger ADD COLUMN registry_reference text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE ledger DROP COLUMN registry_reference');
    await runner.query('ALTER TABLE offsets DROP COLUMN registry_attempts');
  }
}
