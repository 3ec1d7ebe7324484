import { types } from 'node:util';
import { withoutSecrets } from '@carbon/auth';
import { type DestinationStream, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';
import { allowedFields, type LogField } from './log-fields.js';
import { standardOutput } from './log-streams.js';
import { currentContext } from './request-context.js';

/** A structured logger: one JSON object a line. */
export type Logger = PinoLogger;

/** The options of a logger. */
export interface LoggerOptions {
  /** The app's name, on every line. */
  readonly app: string;
  /** The minimum level; `silent` for none. */
  readonly level: string;
  /** Standard output by default. */
  readonly stream?: DestinationStream;
}

/** Short fields that all are in LOG_FIELDS and contain no key. */
export type KnownFields = Readonly<Partial<Record<LogField, string | number | undefined>>>;

/** Writes lines without filtering their fields or adding ids. */
export type UnfilteredLogger = Readonly<Record<'info' | 'debug', (fields: KnownFields, message: string) => void>>;

const unfiltered = new WeakMap<Logger, UnfilteredLogger>();

/**
 * Creates the logger of an app. Lines have the time (RFC 3339, UTC), the level as a word, the app, and the ids of the current
 * request and trace; only the fields of LOG_FIELDS pass. They are written at most 100 ms late, and at the exit: only
 * kill -9 loses the last ones.
 */
export function createLogger({ app, level, stream = standardOutput() }: LoggerOptions): Logger {
  const options = { level, base: { app }, timestamp: stdTimeFunctions.isoTime, messageKey: 'message' };
  const formatters = { level: (label: string) => ({ level: label }) };
  const logger = pino(
    {
      ...options,
      errorKey: 'err',
      mixin: contextFields,
      formatters: { ...formatters, log: allowedFields },
      serializers: { err: (error: unknown) => errorFields(error) },
    },
    stream,
  );
  unfiltered.set(logger, pino({ ...options, formatters }, stream));
  return logger;
}

/** Returns a logger for the one line of every request, whose fields the compiler knows: filtering doubles its cost. */
export function unfilteredLogger(logger: Logger): UnfilteredLogger {
  return unfiltered.get(logger) ?? logger;
}

function contextFields(): object {
  const context = currentContext();
  return context ? { requestId: context.requestId, traceId: context.traceId } : {};
}

/** The logged fields of an error. */
export interface ErrorFields {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorFields;
}

const MAX_CAUSES = 5;

/** Other properties are dropped: database and HTTP clients attach queries with parameters, bodies and headers. */
function errorFields(error: unknown, depth = 0): ErrorFields {
  if (!isError(error)) return { type: typeof error, message: withoutSecrets(String(error)).slice(0, 1_000) };
  const code = ['string', 'number'].includes(typeof error.code) ? String(error.code) : undefined;
  return {
    type: error.name,
    message: withoutSecrets(error.message).slice(0, 2_000),
    ...(code !== undefined && { code }),
    ...(error.stack !== undefined && { stack: withoutSecrets(error.stack).slice(0, 8_000) }),
    ...(error.cause !== undefined && depth < MAX_CAUSES && { cause: errorFields(error.cause, depth + 1) }),
  };
}

/** Whether a value is an error, also one of another realm, for which `instanceof` is false. */
export function isError(value: unknown): value is Error & { readonly code?: unknown } {
  return value instanceof Error || types.isNativeError(value);
}
