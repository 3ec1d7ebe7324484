import type { ParameterSpec } from '@carbon/http';
import type { z } from 'zod';
import { createSchema, type oas31, type ZodOpenApiOverride, type ZodOpenApiParameterObject } from 'zod-openapi';

/** `X-Request-Id`, which any request may have. */
export const REQUEST_ID: ZodOpenApiParameterObject = {
  name: 'X-Request-Id',
  in: 'header',
  description:
    'An id for this request, to find it again in logs: 1 to 64 letters, digits and dashes. Anything else is ignored, and replaced by a new id.',
  schema: { type: 'string' },
};

/** `If-None-Match`, for responses with an entity tag. */
export const IF_NONE_MATCH: ZodOpenApiParameterObject = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of a response that the client has: 304 if it has not changed.',
  schema: { type: 'string' },
};

/** Describes query parameters by the spec that reads them. */
export function queryParameters(
  spec: ParameterSpec,
  examples: Readonly<Record<string, unknown>> = {},
): ZodOpenApiParameterObject[] {
  return Object.entries(spec).map(([name, { schema, required, mayBeEmpty }]) => {
    const { description = '', ...json } = jsonOf(schema);
    const isAnyText = json.type === 'string' && !json.enum && !json.pattern && !json.format;
    return {
      name,
      in: 'query' as const,
      description,
      required,
      ...(mayBeEmpty && { allowEmptyValue: true }),
      schema: { ...json, ...(isAnyText && !mayBeEmpty && { minLength: 1 }) },
      ...(name in examples && { example: examples[name] }),
    };
  });
}

/** Drops keywords that repeat a format, and those that forbid further members in responses, which may gain members. */
export const simplifySchema: ZodOpenApiOverride = ({ jsonSchema, io }) => {
  if (jsonSchema.format === 'date-time' || jsonSchema.type === 'integer') delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
};

function jsonOf(schema: z.ZodType): oas31.SchemaObject {
  return createSchema(schema, { io: 'input', opts: { override: simplifySchema } }).schema as oas31.SchemaObject;
}
