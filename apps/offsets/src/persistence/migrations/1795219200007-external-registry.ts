import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * For registries outside: how often one was asked about an offset, and what it calls the retirement. Both tables are locked
 * for as long as it takes to note a column, and no longer: the indexes that go with it are built by another migration.
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
