import pg from 'pg';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { EstimateEntity } from './estimate.entity.js';
import { MIGRATIONS } from './migrations/index.js';
import { OffsetEntity } from './offset.entity.js';
import { QueryTimeoutClient, transactionClient } from './pg-clients.js';

/**
 * How a session reaches the server: `direct`; `pooled`, through PgBouncer in transaction mode; or `migrating`, which is
 * direct with other limits.
 */
export type SessionKind = 'direct' | 'pooled' | 'migrating';

/** How a process uses the database. Times in milliseconds. */
export interface DatabaseUse {
  readonly url: string;
  /** The name that pg_stat_activity shows. */
  readonly applicationName: string;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
  readonly session: SessionKind;
  /** Called when an idle connection breaks; the pool replaces it. */
  readonly onIdleError: (error: Error) => void;
}

/** Without these limits pg waits forever: for a connection, a statement, a lock, or a dead peer. */
const CONNECT_TIMEOUT_MS = 2_000;
/** Added to the statement timeout, which the server enforces: only an unresponsive server takes longer. */
const QUERY_TIMEOUT_MARGIN_MS = 1_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
const LOCK_TIMEOUT_MS = 3_000;
const IDLE_IN_TRANSACTION_MS = 5_000;
/** A migration on a busy machine may be slow to send its next statement. */
const IDLE_IN_MIGRATION_MS = 60_000;

/**
 * Every statement of this service is written for an index. Statistics of tables that are queues are always outdated, and could make
 * the planner sort a backlog or read a whole table. Migrations build indexes and check tables, so they plan as usual.
 */
const PLAN_BY_INDEX = ['enable_seqscan', 'enable_sort', 'enable_incremental_sort'];

/**
 * A server that waits for the client to read a result keeps the statement's locks. This ends the session of a client that is frozen
 * (milliseconds, beyond any pause of a live process). Not set behind PgBouncer, which reads the results itself.
 */
const TCP_USER_TIMEOUT = '-c tcp_user_timeout=10000';

/** pg's parsers, except for times: V8 parses `2026-01-01 00:00:10.5+00` four times faster. No stored time is `infinity`. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.TIMESTAMPTZ && format !== 'binary'
      ? (text: string) => new Date(text)
      : pg.types.getTypeParser(oid, format as 'text'),
};

/** Returns the options of the data source. TypeORM does not synchronize the schema, and migrations run separately. */
export function dataSourceOptions(use: DatabaseUse): PostgresDataSourceOptions {
  return {
    type: 'postgres',
    url: use.url,
    applicationName: use.applicationName,
    poolSize: use.poolSize,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    poolErrorHandler: use.onIdleError,
    extra: {
      ...sessionSettings(use),
      query_timeout: use.statementTimeoutMs + QUERY_TIMEOUT_MARGIN_MS,
      // Statements that are sent without awaiting those before them share a round trip.
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      idleTimeoutMillis: 30_000,
      types: TYPES,
    },
    // Single estimates are read through theirs. A test compares both with the migrations; the other tables have no entity, because only
    // set-based SQL uses them.
    entities: [OffsetEntity, EstimateEntity],
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    migrationsRun: false,
    synchronize: false,
    installExtensions: false,
    logging: false,
  };
}

/**
 * Direct sessions get startup parameters, which cost no round trip. PgBouncer refuses them, so pooled transactions
 * begin with SET LOCAL.
 */
function sessionSettings({ session, statementTimeoutMs }: DatabaseUse): object {
  const timeouts = {
    statement_timeout: statementTimeoutMs,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: session === 'migrating' ? IDLE_IN_MIGRATION_MS : IDLE_IN_TRANSACTION_MS,
  };
  if (session === 'pooled') {
    const settings = [...Object.entries(timeouts), ...PLAN_BY_INDEX.map((name) => [name, 'off'] as const)];
    return { Client: transactionClient(settings.map(([name, value]) => `SET LOCAL ${name} = ${value}`).join('; ')) };
  }
  const plan = session === 'direct' ? PLAN_BY_INDEX.map((name) => `-c ${name}=off`) : [];
  return { Client: QueryTimeoutClient, ...timeouts, options: [...plan, TCP_USER_TIMEOUT].join(' ') };
}
