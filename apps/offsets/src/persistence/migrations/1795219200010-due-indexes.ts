import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndexes, withoutLimits } from './build-indexes.js';

/** Each with the columns of its key. */
const INDEXES = {
  offsets_queued: `(created_at, id) WHERE status = 'queued'`,
  offsets_held: `(lease_until, id) WHERE status = 'processing'`,
} as const;

/**
 * Offsets that wait to be asked about again may be many, so those that are due are found by their time. Instead of one
 * index for what is queued and what is held there are two, of which each row is in one, as before: nothing is written more
 * often. Built beside the work that goes on, one by one, like the indexes of lists; the old one goes when both are there.
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
