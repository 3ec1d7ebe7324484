import type { ZodOpenApiOverride } from 'zod-openapi';

/**
 * Says the same with less: what a format says already needs no pattern, and answers may gain members, so nothing forbids
 * those.
 */
export const plainJson: ZodOpenApiOverride = ({ jsonSchema, io }) => {
  if (jsonSchema.format === 'date-time' || jsonSchema.type === 'integer') delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
};
