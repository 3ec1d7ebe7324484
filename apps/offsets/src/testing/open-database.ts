import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../persistence/data-source.js';
import { Database } from '../persistence/database.js';
import { readDatabaseState } from '../persistence/fence.js';

/** The statement timeout, the lock timeout, and how long a client waits for a server, in ms. */
export interface Waits {
  readonly statementMs?: number;
  readonly responseMs?: number;
  readonly lockMs?: number;
}

/** Opens the connections of one more process, with timeouts for a busy machine. */
export async function openDatabase(url: string, { statementMs = 60_000, lockMs = 60_000, responseMs }: Waits = {}) {
  const { extra, ...options } = dataSourceOptions({
    ...{ url, applicationName: 'test', poolSize: 6, statementTimeoutMs: statementMs, session: 'direct' },
    onIdleError: () => {},
  });
  const waits = {
    ...{ lock_timeout: lockMs, idle_in_transaction_session_timeout: 60_000 },
    ...(responseMs !== undefined && { query_timeout: responseMs }),
  };
  const database = new Database(
    new DataSource({ ...options, connectTimeoutMS: 60_000, extra: { ...extra, ...waits } }),
  );
  database.onApplicationBootstrap();
  await database.ready;
  await verifyAgain(database);
  return database;
}

/** Holds the fence of the database as it is now, without Kafka. */
export async function verifyAgain(database: Database): Promise<void> {
  database.fence.hold(await readDatabaseState(database.query));
}

/** Holds the fence of another server. */
export function verifyAnotherServer(database: Database): void {
  database.fence.hold({ server: '1.5', epoch: '1' });
}
