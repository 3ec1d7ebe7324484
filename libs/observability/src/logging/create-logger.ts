import { type DestinationStream, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';
import { currentContext } from '../context/request-context.js';
import { errorFields } from './error-fields.js';
import { standardOutput } from './gathered-lines.js';
import { allowedFields, type LogField } from './log-fields.js';

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

/** Fields that are allowed every one, and known to be short and to hold no key. */
export type KnownFields = Readonly<Partial<Record<LogField, string | number | undefined>>>;

/** Writes lines as they are: without a look at their fields, and without ids that they do not bring. */
export type KnownLines = Readonly<Record<'info' | 'debug', (fields: KnownFields, sentence: string) => void>>;

const known = new WeakMap<Logger, KnownLines>();

/**
 * The logger of an app. Lines carry the time (RFC 3339, UTC), the level as a word, the app, and the request and trace ids
 * of what is being worked on. Only the fields of LOG_FIELDS get through. They are written
 * at most a tenth of a second late, and at the exit, so that last words are not lost; only kill -9 takes the last ones.
 */
export function createLogger({ app, level, stream = standardOutput() }: LoggerOptions): Logger {
  const line = { level, base: { app }, timestamp: stdTimeFunctions.isoTime, messageKey: 'message' };
  const levels = { level: (label: string) => ({ level: label }) };
  const logger = pino(
    {
      ...line,
      errorKey: 'err',
      mixin: contextFields,
      formatters: { ...levels, log: allowedFields },
      serializers: { err: (error: unknown) => errorFields(error) },
    },
    stream,
  );
  known.set(logger, pino({ ...line, formatters: levels }, stream));
  return logger;
}

/** For the one line that every request has, whose fields the compiler knows: what any other needs would be half its cost. */
export function knownLines(logger: Logger): KnownLines {
  return known.get(logger) ?? logger;
}

function contextFields(): object {
  const context = currentContext();
  return context ? { requestId: context.requestId, traceId: context.traceId } : {};
}
