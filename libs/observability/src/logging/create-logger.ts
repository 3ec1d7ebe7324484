import { type DestinationStream, destination, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';
import { currentContext } from '../context/request-context.js';
import { errorFields } from './error-fields.js';
import { allowedFields } from './log-fields.js';

/** A structured logger: one JSON object a line. */
export type Logger = PinoLogger;

/** Who logs, and how much. */
export interface LoggerOptions {
  /** The app's name, on every line. */
  readonly app: string;
  /** The least severe level that is written; `silent` for none. */
  readonly level: string;
  /** Where lines go; standard output when left out. */
  readonly stream?: DestinationStream;
}

/** Lines gather up to so many bytes, or for so long, before they are written: each write is work for several threads. */
const GATHERED = { minLength: 4_096, periodicFlush: 100 } as const;

/**
 * The logger of an app. Lines carry the time (RFC 3339, UTC), the level as a word, the app, and the request and trace ids
 * of what is being worked on. Only the fields of LOG_FIELDS get through. They are written
 * at most a tenth of a second late, and at the exit, so that last words are not lost; only kill -9 takes the last ones.
 */
export function createLogger({
  app,
  level,
  stream = destination({ dest: 1, sync: false, ...GATHERED }),
}: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { app },
      timestamp: stdTimeFunctions.isoTime,
      messageKey: 'message',
      errorKey: 'err',
      mixin: contextFields,
      formatters: { level: (label) => ({ level: label }), log: allowedFields },
      serializers: { err: (error: unknown) => errorFields(error) },
    },
    stream,
  );
}

function contextFields(): object {
  const context = currentContext();
  return context ? { requestId: context.requestId, traceId: context.traceId } : {};
}
