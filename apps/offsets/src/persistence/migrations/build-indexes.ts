import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';

const POLL_MS = 500;

/** Indexes by name; `key` is the part after the name of the table. */
export type Indexes = Readonly<Record<string, string | { readonly unique: true; readonly key: string }>>;

/**
 * Builds these indexes concurrently, without a timeout. An interrupted run leaves valid ones, which stay, and possibly an
 * invalid one, which is built again. Needs a migration without a transaction.
 */
export async function buildIndexes(runner: QueryRunner, table: string, indexes: Indexes): Promise<void> {
  await withoutLimits(runner, async () => {
    for (const [name, index] of Object.entries(indexes)) {
      if (await isBuilt(runner, name)) continue;
      const { unique, key } = typeof index === 'string' ? { unique: false, key: index } : index;
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE ${unique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ON ${table} ${key}`);
    }
  });
}

/** For long statements that wait for older transactions and block no other session meanwhile. */
export async function withoutLimits(runner: QueryRunner, work: () => Promise<unknown>): Promise<void> {
  await runner.query('SET lock_timeout = 0');
  await runner.query('SET statement_timeout = 0');
  await work();
  await runner.query('RESET lock_timeout');
  await runner.query('RESET statement_timeout');
}

/** The server continues to build an index after its client was killed; that index must not be dropped. */
async function isBuilt(runner: QueryRunner, name: string): Promise<boolean> {
  for (;;) {
    const [index]: { valid: boolean; building: boolean }[] = await runner.query(
      `SELECT indisvalid AS valid, EXISTS (
         SELECT FROM pg_stat_progress_create_index WHERE index_relid = indexrelid AND pid <> pg_backend_pid()
       ) AS building
       FROM pg_index WHERE indexrelid = to_regclass($1)`,
      [name],
    );
    if (index === undefined || !index.building) return index?.valid ?? false;
    await sleep(POLL_MS);
  }
}
