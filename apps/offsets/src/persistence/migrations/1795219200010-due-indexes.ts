import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndexes, withoutLimits } from './build-indexes.js';

/** Each with the columns of its key. */
const INDEXES = {
  offsets_queued: `(created_at, id) WHERE status = 'queued'`,
  offsets_held: `(lease_until, id) WHERE status = 'processing'`,
} as const;

/**
 * There may be many offsets whose registry must be called again, so the due ones are found by their time. Instead of
 * one index for queued and processing offsets there are two, and each row is in one of them, as before, so the number
 * of index writes stays the same. Built concurrently, one by one, like the indexes of lists; the old one is dropped
 * when both exist.
 */
export class DueIndexes1795219200010 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, 'offsets', INDEXES);
    await withoutLimits(runner, () => runner.query('DROP INDEX CONCURRENTLY IF EXISTS offsets_due'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX offsets_due ON offsets (status, created_at, id) WHERE status IN ('queued', 'processing')`,
    );
    await runner.query(`DROP INDEX ${Object.keys(INDEXES).join(', ')}`);
  }
}
