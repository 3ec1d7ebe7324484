import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * For registries outside: how often one was asked about an offset, and what it calls the retirement. Offsets that wait to
 * be asked about again may be many, so those that are due are found by their time. Instead of one index for what is queued
 * and what is held there are two, of which each row is in one, as before: nothing is written more often.
 */
export class ExternalRegistry1795219200007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE offsets ADD COLUMN registry_attempts integer NOT NULL DEFAULT 0');
    await runner.query('ALTER TABLE ledger ADD COLUMN registry_reference text');
    await runner.query(`CREATE INDEX offsets_queued ON offsets (created_at, id) WHERE status = 'queued'`);
    await runner.query(`CREATE INDEX offsets_held ON offsets (lease_until, id) WHERE status = 'processing'`);
    await runner.query('DROP INDEX offsets_due');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX offsets_due ON offsets (status, created_at, id) WHERE status IN ('queued', 'processing')`,
    );
    await runner.query('DROP INDEX offsets_held, offsets_queued');
    await runner.query('ALTER TABLE ledger DROP COLUMN registry_reference');
    await runner.query('ALTER TABLE offsets DROP COLUMN registry_attempts');
  }
}
