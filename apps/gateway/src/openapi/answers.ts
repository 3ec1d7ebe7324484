import type { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { type AnswerHeader, headers } from './answer-headers.js';
import type { Examples } from './examples/answers.js';

const EVERYWHERE: readonly AnswerHeader[] = ['X-Request-Id', 'Cache-Control'];
/** On every answer to a call with a key whose plan has limits. */
const OF_LIMITS: readonly AnswerHeader[] = ['RateLimit-Policy', 'RateLimit'];

/** A success: JSON of a schema. */
export interface Success {
  readonly description: string;
  readonly schema: z.ZodType;
  readonly headers?: readonly AnswerHeader[];
  readonly examples: Examples;
}

/** An answer to a call with a key. */
export function success({ description, schema, headers: own = [], examples }: Success): ZodOpenApiResponseObject {
  return {
    description,
    headers: headers(...own, ...EVERYWHERE, ...OF_LIMITS),
    content: { 'application/json': { schema, examples: { ...examples } } },
  };
}

/** An answer to a call that needs no key. */
export function openSuccess({ description, schema, examples }: Success): ZodOpenApiResponseObject {
  return {
    description,
    headers: headers(...EVERYWHERE),
    content: { 'application/json': { schema, examples: { ...examples } } },
  };
}

/** 304: what the client has is still right. */
export const UNCHANGED: ZodOpenApiResponseObject = {
  description: 'What `If-None-Match` names is still the answer.',
  headers: headers(...EVERYWHERE, 'ETag', 'Age', ...OF_LIMITS),
};
