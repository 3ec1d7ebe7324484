import type { Scope } from '@carbon/auth';
import type { z } from 'zod';
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiParameterObject,
  ZodOpenApiResponseObject,
  ZodOpenApiSchemaObject,
} from 'zod-openapi';
import { IF_NONE_MATCH, REQUEST_ID } from './openapi-parameters.js';
import type { ExampleRequest } from './problem-examples.js';
import { type OperationProblems, problemResponses } from './problem-responses.js';
import { headers, LIMIT_HEADERS, type ResponseHeader } from './response-headers.js';

/** Examples by name. */
export type Examples = Readonly<Record<string, Example>>;

/** An example of a body. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
  /** A request to which an open gateway with the initial library responds with this example. A test checks it. */
  readonly 'x-request'?: ExampleRequest;
}

/** The response to a request that succeeds. */
export interface Success {
  /** The default is 200. */
  readonly status?: 201 | 202;
  readonly description: string;
  /** The default is `application/json`. */
  readonly type?: string;
  readonly schema: z.ZodType | ZodOpenApiSchemaObject;
  /** The headers that only this response has; the shared headers are added. */
  readonly headers?: readonly ResponseHeader[];
  readonly examples?: Examples;
}

/** The groups of operations, one for each feature. */
export const TAGS = [
  { name: 'Offsets', description: 'Requests to retire credits, and their outcomes.' },
  { name: 'Estimates', description: 'Prices with an expiry.' },
  { name: 'Retirements', description: 'The retirement ledger.' },
  { name: 'Assets', description: 'The library of pools and projects that credits come from.' },
  { name: 'About', description: 'The service itself. No key is needed.' },
] as const;

/** The properties of one operation; {@link operation} derives the rest. */
export interface Operation {
  readonly operationId: string;
  readonly tag: (typeof TAGS)[number]['name'];
  readonly summary: string;
  readonly description?: string;
  /** The scope that the key needs; a public operation has none. */
  readonly scope?: Scope;
  readonly parameters?: readonly ZodOpenApiParameterObject[];
  readonly body?: { readonly schema: z.ZodType; readonly examples: Examples };
  readonly success: Success;
  /** The problems that only this operation has; the shared problems are added. */
  readonly problems?: OperationProblems;
}

/** The two ways to send a key. */
export const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The key as `Authorization: Bearer <key>`.' },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The key as `X-API-Key: <key>`. If both are sent, they must be the same.',
  },
} as const;

/** Describes an operation. If its response has an `ETag`, it accepts `If-None-Match` and may respond 304. */
export function operation(spec: Operation): ZodOpenApiOperationObject {
  const { operationId, tag, summary, description, scope, parameters = [], body, success, problems = [] } = spec;
  const isConditional = success.headers?.includes('ETag') ?? false;
  const isKeyed = scope !== undefined;
  const scopeNote = isKeyed ? `\n\nThe key needs the scope \`${scope}\`.` : '';
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description: description + scopeNote }),
    security: isKeyed ? Object.keys(SECURITY_SCHEMES).map((scheme) => ({ [scheme]: [scope] })) : [],
    parameters: [...parameters, ...(isConditional ? [IF_NONE_MATCH] : []), REQUEST_ID],
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: body.schema, examples: { ...body.examples } } },
      },
    }),
    responses: {
      [success.status ?? 200]: successResponse(success, isKeyed),
      ...(isConditional && { '304': notModified(success, isKeyed) }),
      ...problemResponses(problems, { isKeyed, hasBody: body !== undefined }),
    },
  };
}

function successResponse(success: Success, isKeyed: boolean): ZodOpenApiResponseObject {
  const { description, type = 'application/json', schema, examples } = success;
  return {
    description,
    headers: headers(...(success.headers ?? []), 'X-Request-Id', 'Cache-Control', ...(isKeyed ? LIMIT_HEADERS : [])),
    content: { [type]: { schema, ...(examples && { examples: { ...examples } }) } },
  };
}

function notModified(success: Success, isKeyed: boolean): ZodOpenApiResponseObject {
  const caching = (['ETag', 'Age'] as const).filter((name) => success.headers?.includes(name));
  return {
    description: 'The response that `If-None-Match` names has not changed.',
    headers: headers('X-Request-Id', 'Cache-Control', ...caching, ...(isKeyed ? LIMIT_HEADERS : [])),
  };
}
