/** What messaging needs of a logger; a pino logger fits as it is. Fields never hold keys, values or bodies; their names are of observability's LOG_FIELDS. */
export interface MessagingLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const nothing = (): void => {};

/** For command lines and tests that want no log. */
export const SILENT: MessagingLogger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
