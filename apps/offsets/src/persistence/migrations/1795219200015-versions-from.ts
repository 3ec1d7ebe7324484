import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * From which reading of the asset topic on the versions of the supply count. On a topic that was made anew they begin anew:
 * to say so once is the same as to reset the version of every asset, which a million of them take too long for.
 */
export class VersionsFrom1795219200015 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE supply_reading ADD COLUMN versions_from integer NOT NULL DEFAULT 1');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE supply_reading DROP COLUMN versions_from');
  }
}
