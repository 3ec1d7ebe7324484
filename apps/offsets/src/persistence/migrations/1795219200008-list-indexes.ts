import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndexes } from './build-indexes.js';

/** Each with the columns of its key; the last two are the list's order. */
const INDEXES = {
  offsets_by_status: '(account, status, created_at, id)',
  offsets_by_customer_ref: '(account, customer_ref, status, created_at, id) WHERE customer_ref IS NOT NULL',
  offsets_by_estimate: '(account, estimate_id, status, created_at, id) WHERE estimate_id IS NOT NULL',
  offsets_by_estimate_and_customer_ref:
    '(account, estimate_id, customer_ref, status, created_at, id) WHERE estimate_id IS NOT NULL AND customer_ref IS NOT NULL',
} as const;

/**
 * An index for every combination of filters that the list accepts, so that each query reads one page of rows. Built concurrently, so
 * that no query waits for them, and therefore not in one transaction.
 */
export class ListIndexes1795219200008 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, 'offsets', INDEXES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${Object.keys(INDEXES).join(', ')}`);
  }
}
