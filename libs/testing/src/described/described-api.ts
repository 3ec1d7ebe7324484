import { readFileSync } from 'node:fs';
import { closed } from './closed.js';
import { headerFaults } from './header-faults.js';
import { type Described, type Operation, operationAt, responseOf } from './operation-at.js';
import { Schemas } from './schemas.js';

/** One request and what came back, as it was on the wire. */
export interface Exchange {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

const DOCUMENT = new URL('../../../../docs/openapi.json', import.meta.url);

/** Served, and no part of the API: the page about it, what is for those who run the service, and what apps ask of each other. */
const UNDESCRIBED = /^\/(docs(\/.*)?|metrics|internal\/.*)$/;

/**
 * The committed description of the API, to hold answers against. Stricter than it is to clients: what answers gain must be
 * described first.
 */
export class DescribedApi {
  private readonly document: Described;
  private readonly schemas: Schemas;

  constructor(document: Described = JSON.parse(readFileSync(DOCUMENT, 'utf8'))) {
    this.document = closed(document);
    this.schemas = new Schemas(this.document);
  }

  /** What about an answer is not as described; nothing when all is. */
  faultsOf(exchange: Exchange): string[] {
    const path = exchange.path.split('?', 1)[0] ?? '/';
    if (UNDESCRIBED.test(path) || exchange.method === 'OPTIONS') return [];
    const operation = operationAt(this.document, exchange.method, path);
    return operation === undefined ? this.problemFaults(exchange) : this.answerFaults(exchange, operation);
  }

  /** Throws when an answer is not as described, and says what is not. */
  requireDescribed(exchange: Exchange): void {
    const faults = this.faultsOf(exchange);
    if (faults.length === 0) return;
    const { method, path, status } = exchange;
    throw new Error(`${method} ${path} is answered ${status}, otherwise than described: ${faults.join('; ')}`);
  }

  private answerFaults(exchange: Exchange, operation: Operation): string[] {
    const { status, headers, method } = exchange;
    const response = responseOf(this.document, operation, status);
    if (response === undefined) return [`${status} is no answer of ${operation.name}`];
    const faults = headerFaults(this.document, this.schemas, response.value, headers);
    if (method === 'HEAD') return faults;
    const type = String(headers['content-type'] ?? '').split(';', 1)[0] ?? '';
    const content = response.value.content ?? {};
    if (Object.keys(content).length === 0) {
      return exchange.body.length === 0 ? faults : [...faults, `${status} has a body`];
    }
    if (!(type in content)) return [...faults, `${status} is not described as ${type}`];
    if (!type.endsWith('json')) return faults;
    const pointer = `${response.pointer}/content/${type.replaceAll('/', '~1')}/schema`;
    return [...faults, ...this.schemas.faultsAt(pointer, JSON.parse(exchange.body.toString('utf8')))];
  }

  /** Where nothing is described, nothing but problems is served. */
  private problemFaults({ status, headers, body, method }: Exchange): string[] {
    if (status < 400) return [`${status} is answered where nothing is described`];
    if (headers['content-type'] !== 'application/problem+json') return ['what is not described is no problem'];
    return method === 'HEAD' ? [] : this.schemas.problemFaults(JSON.parse(body.toString('utf8')));
  }
}
