import { DecisiveClient } from './decisive-client.js';
import { transactionClient } from './transaction-client.js';

/**
 * What a connection is: `direct` to the server; `pooled`, by PgBouncer in transaction mode, where it is a server's session
 * only within a transaction; or `migrating`, direct as well.
 */
export type SessionKind = 'direct' | 'pooled' | 'migrating';

const LOCK_MS = 3_000;
const IDLE_IN_TRANSACTION_MS = 5_000;
/** A migration that is slow to send its next statement, on a busy machine, is not to be begun anew for that. */
const IDLE_IN_MIGRATION_MS = 60_000;

/**
 * Every statement of this service is made for an index. The planner must not be led astray by its statistics, which are
 * always out of date for tables that are queues: told that little is queued, it would sort the whole backlog for every
 * batch, or join by reading the whole table. Migrations build indexes and check whole tables, so they plan as PostgreSQL does.
 */
const BY_INDEX = ['enable_seqscan', 'enable_sort', 'enable_incremental_sort'];

/**
 * A server that waits for the client to read what it sent may hold the locks of that statement for as long: a process
 * that is frozen in the middle of a large result should not be waited for. A precaution beside the time-out of statements.
 * Milliseconds, well beyond any pause of a process that lives. By a pooler it is the pooler that reads.
 */
const UNREAD = '-c tcp_user_timeout=10000';

/**
 * What pg's pool is told about sessions. A direct one gets its settings as start-up parameters, which cost no round trip;
 * PgBouncer refuses those, so there each transaction begins with them.
 */
export function sessionSettings(kind: SessionKind, statementMs: number): object {
  const times = {
    statement_timeout: statementMs,
    lock_timeout: LOCK_MS,
    idle_in_transaction_session_timeout: kind === 'migrating' ? IDLE_IN_MIGRATION_MS : IDLE_IN_TRANSACTION_MS,
  };
  if (kind === 'pooled') return { Client: transactionClient(localSettings(times)) };
  const plan = kind === 'direct' ? BY_INDEX.map((name) => `-c ${name}=off`) : [];
  return { Client: DecisiveClient, ...times, options: [...plan, UNREAD].join(' ') };
}

function localSettings(times: Readonly<Record<string, number>>): string {
  const settings = [...Object.entries(times), ...BY_INDEX.map((name) => [name, 'off'] as const)];
  return settings.map(([name, value]) => `SET LOCAL ${name} = ${value}`).join('; ');
}
