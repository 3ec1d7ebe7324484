import type { ParameterSpec } from '@carbon/http';
import type { z } from 'zod';
import { createSchema, type oas31, type ZodOpenApiParameterObject } from 'zod-openapi';
import { plainJson } from './plain-json.js';

/** The parameters of a query as OpenAPI describes them, out of the very spec that they are read by. */
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
      schema: {
        ...json,
        ...(isAnyText && !mayBeEmpty && { minLength: 1 }),
      },
      ...(name in examples && { example: examples[name] }),
    };
  });
}

function jsonOf(schema: z.ZodType): oas31.SchemaObject {
  return createSchema(schema, { io: 'input', opts: { override: plainJson } }).schema as oas31.SchemaObject;
}
