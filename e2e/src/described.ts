import { readFileSync } from 'node:fs';

/** What a client sends. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** An example of an answer, and what is answered so. */
export interface Example {
  readonly summary: string;
  readonly 'x-request': Asked;
  readonly value: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, { readonly examples: Record<string, { value: object }> }> };
}

const DOCUMENT = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));
const JSON_TYPE = { 'content-type': 'application/json' };

function* examplesIn(part: unknown): Generator<Example> {
  if (typeof part !== 'object' || part === null) return;
  if ('x-request' in part) yield part as Example;
  for (const inner of Object.values(part)) yield* examplesIn(inner);
}

/** The request that an operation's examples make, for each of its bodies. */
function requestsOf(path: string, method: string, { parameters = [], requestBody }: Operation): Asked[] {
  const query = parameters.filter(({ example }) => example !== undefined && example !== null);
  const values = query
    .filter((one) => one.in === 'query')
    .map(({ name, example }): [string, string] => [name, String(example)]);
  const address = `${path}${values.length > 0 ? `?${new URLSearchParams(values)}` : ''}`;
  const asked = { method: method.toUpperCase(), path: address.replace('{code}', 'invalid_request') };
  const bodies = Object.values(requestBody?.content['application/json']?.examples ?? {});
  if (bodies.length === 0) return [asked];
  return bodies.map(({ value }) => ({ ...asked, headers: JSON_TYPE, body: JSON.stringify(value) }));
}

/** Every operation, with the request that its examples make; several where it has several bodies. */
export const DESCRIBED_REQUESTS = Object.entries<Record<string, Operation>>(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) =>
    requestsOf(path, method, operation).map((asked) => ({ id: operation.operationId, asked })),
  ),
);

const all = [...examplesIn(DOCUMENT.paths), ...examplesIn(DOCUMENT.components)];

/** The examples of answers that say what they are answers to; each once. */
export const DESCRIBED_ANSWERS = [...new Map(all.map((one) => [JSON.stringify(one['x-request']), one])).values()];
