import { isNativeError } from 'node:util/types';
import { type ConnectionSettings, errorText, tlsHint } from '@carbon/config';
import { TransientError } from '@carbon/http';
import { QueryFailedError, TypeORMError } from 'typeorm';

/** SQLSTATE classes 22 (data exception) and 23 (constraint violation): the data is wrong, and a retry cannot help. */
const DATA = /^2[23]/;
/**
 * Classes 42 (undefined or not allowed) and 54 (too large or too complex). They are retried, since a migration or a
 * grant may be missing.
 */
const STATEMENT = /^(42|54)/;
/** A statement timeout, and a server out of memory: a smaller batch may succeed. */
const TOO_LARGE = /^(57014|53200)$/;
/** Node's codes of a connection that cannot be made or breaks. */
const NETWORK =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND|ERR_SOCKET_CONNECTION_TIMEOUT)$/;
/** pg's messages about a missing or broken connection, which have no code. */
const CONNECTION =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has|Cannot use a pool)/;

/**
 * Returns the error to throw for an error of the database. Only data errors pass unchanged; every other one (a broken connection, a
 * deadlock, a timeout, a standby, a full disk, a missing table) becomes a TransientError, so that callers retry.
 * Errors that do not come from the database pass unchanged.
 */
export function toTransientError(error: unknown): unknown {
  if (DATA.test(sqlStateOf(error))) return error;
  if (!(error instanceof TypeORMError) && !isConnectionError(error)) return error;
  return new TransientError(
    'service_unavailable',
    'The offsets store is unavailable at the moment. Try again shortly.',
    {
      cause: error,
    },
  );
}

/**
 * Returns the SQLSTATE of an error in a statement or in the schema, which is retried but does not pass by itself;
 * otherwise undefined.
 */
export function statementErrorCode(error: unknown): string | undefined {
  const state = sqlStateOf(error);
  return STATEMENT.test(state) ? state : undefined;
}

/** Returns whether a smaller batch may succeed after this error. */
export function isBatchTooLarge(error: unknown): boolean {
  const cause = error instanceof TransientError ? error.cause : error;
  return TOO_LARGE.test(sqlStateOf(cause));
}

/** Returns the code of an error as TypeORM or pg throws it; '' if the connection broke before the server sent one. */
function sqlStateOf(error: unknown): string {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return isNativeError(cause) && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
}

/**
 * Node's network errors have `syscall`, or such a code alone when TLS is not established yet; PostgreSQL's own, such as 57P03, have
 * `severity`. A host with several addresses gives an AggregateError.
 */
function isConnectionError(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isConnectionError);
  if ('code' in error && NETWORK.test(String(error.code))) return true;
  return 'syscall' in error || 'severity' in error || CONNECTION.test(error.message);
}

const SETTINGS: ConnectionSettings = {
  engine: 'PostgreSQL',
  address: 'DATABASE_URL',
  tlsOn: 'sslmode=verify-full in DATABASE_URL',
  tlsOff: 'sslmode=disable in DATABASE_URL',
  ca: 'sslrootcert in DATABASE_URL',
  certificate: 'sslcert and sslkey in DATABASE_URL',
};

/** Hints by SQLSTATE or message; the first match wins. */
const HINT: readonly (readonly [RegExp, string])[] = [
  [
    /unsupported startup parameter/,
    'A PgBouncer answers at this address: set DATABASE_POOLER=transaction, and for migrations DATABASE_MIGRATION_URL.',
  ],
  [
    /\b28P01\b|password authentication failed|SASL authentication failed/,
    'PostgreSQL refuses the user or the password: check DATABASE_URL, or PGPASSWORD if it has no password.',
  ],
  [/\b3D000\b/, 'There is no such database on this server: create it, or check the name in DATABASE_URL.'],
  [
    /(ENOENT|EACCES)\b.*\bopen\b|\bopen\b.*(ENOENT|EACCES)/,
    'A file that DATABASE_URL names (sslrootcert, sslcert, sslkey) cannot be read: check its path and permissions.',
  ],
];
/** Comes after the TLS hints, because a server that requires TLS responds with the same code. */
const NOT_ALLOWED =
  'PostgreSQL does not accept this user from this address: see pg_hba.conf on the server, and the user and sslmode in DATABASE_URL.';

/** Returns the driver's message; for a host with several addresses, the message of the first. */
export function databaseReason(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return databaseReason(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** Returns what an operator can do about an error in the connection settings; undefined for other errors. */
export function databaseHint(error: unknown): string | undefined {
  const text = errorText(error);
  const known = HINT.find(([pattern]) => pattern.test(text))?.[1] ?? tlsHint(text, SETTINGS);
  return known ?? (/\b28000\b/.test(text) ? NOT_ALLOWED : undefined);
}

/** Selects the version that {@link requireServer} checks. */
export const SERVER_VERSION = `SELECT current_setting('server_version_num')::integer AS version`;
/**
 * PostgreSQL 18 is the first with `old.` in RETURNING (https://www.postgresql.org/docs/18/dml-returning.html). An older server runs
 * every migration, and then fails each statement that completes or publishes an offset.
 */
const MIN_SERVER_VERSION = 180_000;

/** Thrown when the server is older than this service requires. */
export class ServerTooOld extends Error {
  override readonly name = 'ServerTooOld';
}

/** @param version `server_version_num`, such as 170006 for 17.6 @throws ServerTooOld */
export function requireServer(version: number): void {
  if (version >= MIN_SERVER_VERSION) return;
  const name = `${Math.trunc(version / 10_000)}.${version % 10_000}`;
  throw new ServerTooOld(
    `The database at DATABASE_URL is PostgreSQL ${name}; PostgreSQL 18 or newer is needed. Upgrade that server, or name another.`,
  );
}
