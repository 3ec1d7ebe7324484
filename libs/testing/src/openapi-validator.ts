import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** The parts of an OpenAPI document against which responses are validated. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A described response. */
interface Response {
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

type Responses = Readonly<Record<string, Response | { readonly $ref: string }>>;

/** An operation and its pointer in the document. */
interface Operation {
  readonly name: string;
  readonly pointer: string;
  readonly responses: Responses;
}

/** One request and its raw response. */
export interface Exchange {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

const ID = 'api:';
const DOCUMENT = new URL('../../../docs/openapi.json', import.meta.url);

/** Routes that are not part of the API: `/`, its documentation page, `/metrics`, and the routes between apps. */
const UNDESCRIBED = /^\/(|docs(\/.*)?|metrics|internal\/.*)$/;

/** Headers of the connection, of the body, and for browser security. Any response may have them; they are documented as text only. */
const STANDARD_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'referrer-policy',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
]);

/** The schemas of a document, to validate values. */
export class Schemas {
  // OpenAPI has keywords next to its schemas that JSON Schema does not know.
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly checks = new Map<string, ValidateFunction>();

  constructor(document: OpenApiDocument) {
    addFormats.default(this.ajv);
    this.ajv.addSchema(document, ID);
  }

  /** Returns what is wrong with a value. @param pointer the location of its schema */
  errorsAt(pointer: string, value: unknown): string[] {
    const check = this.checks.get(pointer) ?? this.ajv.compile({ $ref: `${ID}#${encodeURI(pointer)}` });
    this.checks.set(pointer, check);
    if (check(value) === true) return [];
    return (check.errors ?? []).map(({ instancePath, message, params }) => {
      return `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`;
    });
  }

  /** Returns what is wrong with a problem document, by the schema of its code. */
  problemErrors(value: unknown): string[] {
    const code = typeof value === 'object' && value !== null && 'code' in value ? String(value.code) : '';
    const name = code.replace(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase());
    return this.errorsAt(`/components/schemas/${name}Problem`, value);
  }
}

/**
 * The committed OpenAPI document, to validate responses. Stricter than clients are: a response may have nothing that it does not
 * describe.
 */
export class OpenApiValidator {
  private readonly document: OpenApiDocument;
  private readonly schemas: Schemas;

  constructor(document: OpenApiDocument = JSON.parse(readFileSync(DOCUMENT, 'utf8'))) {
    this.document = closed(document);
    this.schemas = new Schemas(this.document);
  }

  /** Returns how a response differs from the description; empty if it does not. */
  differencesOf(exchange: Exchange): string[] {
    const path = exchange.path.split('?', 1)[0] ?? '/';
    if (UNDESCRIBED.test(path) || exchange.method === 'OPTIONS') return [];
    const operation = operationAt(this.document, exchange.method, path);
    return operation === undefined ? this.problemErrors(exchange) : this.responseErrors(exchange, operation);
  }

  /** Throws if a response differs from the description, with the differences. */
  requireValid(exchange: Exchange): void {
    const errors = this.differencesOf(exchange);
    if (errors.length === 0) return;
    const { method, path, status } = exchange;
    throw new Error(`${method} ${path} responds ${status}, which differs from the description: ${errors.join('; ')}`);
  }

  private responseErrors(exchange: Exchange, operation: Operation): string[] {
    const { status, headers, method } = exchange;
    const response = responseOf(this.document, operation, status);
    if (response === undefined) return [`${status} is not a described status of ${operation.name}`];
    const errors = headerErrors(this.document, this.schemas, response.value, headers);
    if (method === 'HEAD') return errors;
    const type = String(headers['content-type'] ?? '').split(';', 1)[0] ?? '';
    const content = response.value.content ?? {};
    if (Object.keys(content).length === 0) {
      return exchange.body.length === 0 ? errors : [...errors, `${status} has a body`];
    }
    if (!(type in content)) return [...errors, `${status} is not described as ${type}`];
    if (!type.endsWith('json')) return errors;
    const pointer = `${response.pointer}/content/${type.replaceAll('/', '~1')}/schema`;
    return [...errors, ...this.schemas.errorsAt(pointer, JSON.parse(exchange.body.toString('utf8')))];
  }

  /** Undescribed paths must respond with a problem. */
  private problemErrors({ status, headers, body, method }: Exchange): string[] {
    if (status < 400) return [`${status} for an undescribed path`];
    if (headers['content-type'] !== 'application/problem+json')
      return ['an undescribed path must respond with a problem document'];
    return method === 'HEAD' ? [] : this.schemas.problemErrors(JSON.parse(body.toString('utf8')));
  }
}

const escaped = (segment: string) => segment.replaceAll('~', '~0').replaceAll('/', '~1');

/**
 * Returns the operation of a method at a path. For a method that the path lacks, returns the error responses of another operation
 * of the path, which include 405.
 */
function operationAt({ paths }: OpenApiDocument, method: string, path: string): Operation | undefined {
  const template = Object.keys(paths).find((one) => matches(one, path));
  if (template === undefined) return undefined;
  const methods = paths[template] ?? {};
  const own = method === 'HEAD' ? 'get' : method.toLowerCase();
  const served = own in methods ? own : (Object.keys(methods)[0] ?? '');
  const responses = methods[served]?.responses ?? {};
  const allowed =
    own in methods ? responses : Object.fromEntries(Object.entries(responses).filter(([status]) => status >= '400'));
  return { name: `${method} ${template}`, pointer: `/paths/${escaped(template)}/${served}`, responses: allowed };
}

function matches(template: string, path: string): boolean {
  const [segments, given] = [template.split('/'), path.split('/')];
  return (
    segments.length === given.length &&
    segments.every((segment, at) => segment === given[at] || isParameter(segment, given[at]))
  );
}

function isParameter(segment: string, given: string | undefined): boolean {
  return segment.startsWith('{') && given !== '';
}

/** Returns the described response with a status, and its pointer. */
function responseOf(
  { components }: OpenApiDocument,
  { pointer, responses }: Operation,
  status: number,
): { readonly pointer: string; readonly value: Response } | undefined {
  const found = responses[status];
  if (found === undefined) return undefined;
  if (!('$ref' in found)) return { pointer: `${pointer}/responses/${status}`, value: found };
  const name = found.$ref.split('/').at(-1) ?? '';
  return { pointer: `/components/responses/${name}`, value: components.responses?.[name] as Response };
}

/** Returns what is wrong with the headers of a response: required but missing, undescribed, or invalid. */
function headerErrors(
  { components }: OpenApiDocument,
  schemas: Schemas,
  { headers: described = {} }: Response,
  headers: Exchange['headers'],
): string[] {
  const errors: string[] = [];
  const known = new Map(Object.entries(described).map(([name, { $ref }]) => [name.toLowerCase(), $ref.slice(1)]));
  for (const [name, pointer] of known) {
    const header = components.headers?.[pointer.split('/').at(-1) ?? ''] as {
      required?: boolean;
      schema: { type: string };
    };
    const value = headers[name];
    if (value === undefined) {
      if (header.required === true) errors.push(`the header ${name} is missing`);
      continue;
    }
    const read = header.schema.type === 'integer' ? Number(value) : value;
    errors.push(...schemas.errorsAt(`${pointer}/schema`, read).map((error) => `the header ${name}: ${error}`));
  }
  for (const name of Object.keys(headers)) {
    if (known.has(name) || STANDARD_HEADERS.has(name) || name.startsWith('access-control-')) continue;
    errors.push(`the header ${name} is not described`);
  }
  return errors;
}

/** Returns the document with every object schema closed: undescribed members are not allowed. */
function closed(document: OpenApiDocument): OpenApiDocument {
  const copy = structuredClone(document);
  close(copy.components);
  close(copy.paths);
  return copy;
}

function close(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  if ('properties' in part && 'type' in part && part.type === 'object' && !('additionalProperties' in part)) {
    Object.assign(part, { additionalProperties: false });
  }
  for (const [name, value] of Object.entries(part)) if (name !== 'examples') close(value);
}
