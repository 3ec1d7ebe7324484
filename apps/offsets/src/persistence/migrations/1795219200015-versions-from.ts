import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The reading of the asset topic from which the versions of the supply are valid. In a re-created topic the versions start from the
 * beginning; storing this once has the same effect as resetting the version of every asset, which takes too long for a million.
 */
export class VersionsFrom1795219200015 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE supply_reading ADD COLUMN versions_from integer NOT NULL DEFAULT 1');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE supply_reading DROP COLUMN versions_from');
  }
}
