import { isNativeError } from 'node:util/types';
import { TransientError } from '@carbon/http';
import { QueryFailedError, TypeORMError } from 'typeorm';

/** SQLSTATE classes that blame the data: 22 (data exception) and 23 (a constraint). Trying again cannot help. */
const DATA = /^2[23]/;

/**
 * Classes 42 (what a statement names is not there or not allowed) and 54 (it is too large or too complex): these do not pass by
 * themselves. They are waited for all the same, since it may be the schema or a permission that is missing.
 */
const MISTAKE = /^(42|54)/;

/** A statement that ran out of time, and a server out of memory: less at once may do. */
const TOO_MUCH = /^(57014|53200)$/;

/** What pg says, without a code, when a connection cannot be had or broke. */
const CONNECTION =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has|Cannot use a pool)/;

/**
 * An error of the database as a fault. Only classes 22 and 23 say something about the data and pass unchanged; every
 * other one (a broken connection, a deadlock, a time-out, a standby, a full disk, a missing table …) says that the
 * database cannot serve at the moment, so what was asked of it must wait and never be given up. What does not come
 * from the database passes unchanged.
 */
export function sqlFault(error: unknown): unknown {
  if (error instanceof QueryFailedError && DATA.test(stateOf(error))) return error;
  if (!(error instanceof TypeORMError) && !isConnectionError(error)) return error;
  return new TransientError('service_unavailable', 'The offsets store cannot serve at the moment. Try again shortly.', {
    cause: error,
  });
}

/** The SQLSTATE of an error that time alone does not mend, though it is waited for; undefined of any other. */
export function mistakeIn(error: unknown): string | undefined {
  const state = error instanceof QueryFailedError ? stateOf(error) : '';
  return MISTAKE.test(state) ? state : undefined;
}

/** Whether what was asked may have been too much at once, so that it need not be tried again as it is. */
export function isTooMuch(error: unknown): boolean {
  const cause = error instanceof TransientError ? error.cause : error;
  return cause instanceof QueryFailedError && TOO_MUCH.test(stateOf(cause));
}

/** The SQLSTATE of a failed query, '' where the connection broke before there was one. */
function stateOf(error: QueryFailedError): string {
  const { code } = error.driverError as Error & { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** Node marks its network errors with the system call that failed; PostgreSQL's own, such as 57P03, carry a severity. */
function isConnectionError(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  return 'syscall' in error || 'severity' in error || CONNECTION.test(error.message);
}
