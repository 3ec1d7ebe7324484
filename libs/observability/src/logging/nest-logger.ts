import type { LoggerService } from '@nestjs/common';
import type { Logger } from './create-logger.js';
import { isError } from './is-error.js';

type Level = 'info' | 'warn' | 'error' | 'debug' | 'trace' | 'fatal';

/** What Nest says about its own wiring at the start: of no interest to who runs the app. */
const WIRING = new Set(['InstanceLoader', 'NestApplication', 'NestFactory', 'RouterExplorer', 'RoutesResolver']);

/**
 * Lets `new Logger('part')` of @nestjs/common write structured lines, everywhere in an app:
 * `logger.log('Batch recorded', { topic, count })`, `logger.error('Cannot publish', error)`. Errors become `err`, objects
 * fields (those of LOG_FIELDS only), the logger's name `part`.
 */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  private write(level: Level, message: unknown, rest: readonly unknown[]): void {
    const part = typeof rest.at(-1) === 'string' ? rest.at(-1) : undefined;
    const values = [message, ...(part === undefined ? rest : rest.slice(0, -1))];
    const fields = Object.assign({}, ...values.map(fieldsOf), part === undefined ? {} : { part });
    const sentence = values.map(sentenceOf).find((text) => text !== undefined) ?? '';
    this.logger[WIRING.has(String(part)) && level === 'info' ? 'debug' : level](fields, sentence);
  }
}

function fieldsOf(value: unknown): object {
  if (isError(value)) return { err: value };
  return typeof value === 'object' && value !== null ? value : {};
}

function sentenceOf(value: unknown): string | undefined {
  if (isError(value)) return value.message;
  return typeof value === 'string' ? value : undefined;
}
