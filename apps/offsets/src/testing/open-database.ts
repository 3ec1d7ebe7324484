import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../persistence/data-source.js';
import { Database } from '../persistence/database.js';
import { readDatabaseState } from '../persistence/fence.js';

/** How long a statement may take, and how long of that it may wait for a lock, in ms. */
export interface Waits {
  readonly statementMs?: number;
  readonly lockMs?: number;
}

/** One more process's connections, which wait for as long as a busy machine takes unless the caller says otherwise. */
export async function openDatabase(url: string, { statementMs = 60_000, lockMs = 60_000 }: Waits = {}) {
  const { extra, ...options } = dataSourceOptions({
    ...{ url, applicationName: 'test', poolSize: 6, statementTimeoutMs: statementMs, session: 'direct' },
    onIdleError: () => {},
  });
  const waits = { lock_timeout: lockMs, idle_in_transaction_session_timeout: 60_000 };
  const database = new Database(
    new DataSource({ ...options, connectTimeoutMS: 60_000, extra: { ...extra, ...waits } }),
  );
  database.onApplicationBootstrap();
  await database.ready;
  await verifyAgain(database);
  return database;
}

/** Has a process take the database as verified, as it is now: there is no Kafka to compare it with. */
export async function verifyAgain(database: Database): Promise<void> {
  database.fence.hold(await readDatabaseState(database.query));
}

/** Has a process take another server than the one that answers as verified. */
export function verifyAnotherServer(database: Database): void {
  database.fence.hold({ server: '1.5', epoch: '1' });
}
