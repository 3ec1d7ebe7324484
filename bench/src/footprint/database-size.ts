import type { FreshDatabase } from '../stage.js';

/** The size of tables with their indexes, in bytes. */
export interface DatabaseSize {
  readonly offsets: number;
  readonly ledger: number;
  /** These two, and all others. */
  readonly all: number;
}

/** Returns what is left when the retention of the outbox is over, and dead rows are vacuumed. */
export async function sizeAfterRetention(database: FreshDatabase): Promise<DatabaseSize> {
  // As the service does it, a slot at a time, when all its events were published two weeks ago.
  await database.run('TRUNCATE outbox');
  await database.run('VACUUM offsets, ledger, supply');
  return database.one<DatabaseSize>(
    `SELECT pg_total_relation_size('offsets')::float8 AS offsets, pg_total_relation_size('ledger')::float8 AS ledger,
       sum(pg_total_relation_size(oid))::float8 AS all
     FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
  );
}

/** Returns how much each grew per offset. */
export function growthPerOffset(before: DatabaseSize, after: DatabaseSize, offsets: number): DatabaseSize {
  const grown = (part: keyof DatabaseSize) => (after[part] - before[part]) / offsets;
  return { offsets: grown('offsets'), ledger: grown('ledger'), all: grown('all') };
}
