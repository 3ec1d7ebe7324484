import { isNativeError } from 'node:util/types';
import { TransientError } from '@carbon/http';
import { NotAccepted, OutcomeUnknown } from '../publish/publish-errors.js';
import { MaskedError } from './masked-error.js';

const OURS = [TransientError, NotAccepted, OutcomeUnknown, MaskedError];

/** Node's words for a connection that could not be had or was lost, and undici's. */
const NETWORK = /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND|UND_ERR_\w+)$/;

/**
 * SQLSTATEs that blame the server or the moment, not the data: connection (08), rollback (40), resources such as a full
 * disk (53), lock not to be had (55P03), statement cancelled or server going down (57), I/O (58)
 * (https://www.postgresql.org/docs/18/errcodes-appendix.html).
 */
const SQLSTATE = /^(08\w{3}|40\w{3}|53\w{3}|55P03|57\w{3}|58\w{3})$/;

/** Time-outs and lost connections of the OpenSearch client and of fetch, and anything kafkajs says. */
const NAMES = /^(ConnectionError|TimeoutError|NoLivingConnectionsError|KafkaJS\w+)$/;

/** pg gives these no code. */
const MESSAGES = /^(Connection terminated|timeout exceeded when trying to connect|Client was closed)/;

const DEPTH = 5;

/**
 * Whether an error says "not now" and not "not this message". Handlers should throw a TransientError; the rest is a net
 * below, because mistaking an outage for a bad message would empty a whole topic into its dead letters.
 */
export function isPassing(error: unknown, depth = 0): boolean {
  if (depth > DEPTH || !isError(error)) return false;
  if (OURS.some((kind) => error instanceof kind)) return true;
  const { code, name, message } = error;
  if (typeof code === 'string' && (NETWORK.test(code) || SQLSTATE.test(code))) return true;
  if (NAMES.test(name) || MESSAGES.test(message)) return true;
  return innerErrors(error).some((inner) => isPassing(inner, depth + 1));
}

type AnyError = Error & { code?: unknown; driverError?: unknown; errors?: unknown };

function isError(error: unknown): error is AnyError {
  return isNativeError(error) || error instanceof Error;
}

/** What an error wraps: its cause, TypeORM's driver error, the attempts of a connection to several addresses. */
function innerErrors({ cause, driverError, errors }: AnyError): unknown[] {
  return [cause, driverError, ...(Array.isArray(errors) ? errors : [])];
}
