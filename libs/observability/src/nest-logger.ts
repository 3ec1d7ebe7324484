import type { LoggerService } from '@nestjs/common';
import { isError, type Logger } from './logger.js';

type Level = 'info' | 'warn' | 'error' | 'debug' | 'trace' | 'fatal';

/** The loggers of Nest's own start-up messages, which go to `debug`. */
const NEST_STARTUP = new Set(['InstanceLoader', 'NestApplication', 'NestFactory', 'RouterExplorer', 'RoutesResolver']);

/**
 * Makes `new Logger('part')` of @nestjs/common write structured lines: `logger.log('Batch recorded', { topic, count })`,
 * `logger.error('Cannot publish', error)`. Errors become `err`, objects fields, the logger's name `part`.
 */
export class NestLogger implements LoggerService {
  readonly fatal = this.at('fatal');
  readonly error = this.at('error');
  readonly warn = this.at('warn');
  readonly log = this.at('info');
  readonly debug = this.at('debug');
  readonly verbose = this.at('trace');

  constructor(private readonly logger: Logger) {}

  private at(level: Level) {
    return (message: unknown, ...rest: unknown[]): void => this.write(level, message, rest);
  }

  private write(level: Level, message: unknown, rest: readonly unknown[]): void {
    const part = typeof rest.at(-1) === 'string' ? rest.at(-1) : undefined;
    const values = [message, ...(part === undefined ? rest : rest.slice(0, -1))];
    const fields = Object.assign({}, ...values.map(fieldsOf), part === undefined ? {} : { part });
    const text = values.map(messageOf).find((text) => text !== undefined) ?? '';
    this.logger[NEST_STARTUP.has(String(part)) && level === 'info' ? 'debug' : level](fields, text);
  }
}

function fieldsOf(value: unknown): object {
  if (isError(value)) return { err: value };
  return typeof value === 'object' && value !== null ? value : {};
}

function messageOf(value: unknown): string | undefined {
  if (isError(value)) return value.message;
  return typeof value === 'string' ? value : undefined;
}
