import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the last audit without an error read the database, for the metric of it. */
export class AuditedAt1795219200020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE database_state ADD COLUMN audited_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE database_state DROP COLUMN audited_at');
  }
}
