import type { Scope } from '@carbon/auth';
import type { ZodOpenApiParameterObject } from 'zod-openapi';

/** The two ways to send a key. */
export const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The key as `Authorization: Bearer <key>`.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The key as `X-API-Key: <key>`. Where both are sent they must be the same.',
  },
} as const;

/** What an operation does, and the key it needs, sent either way: with a scope, which pages do not show by themselves. */
export function keyed(scope: Scope, description: string) {
  const security = Object.keys(SECURITY_SCHEMES).map((scheme) => ({ [scheme]: [scope] }));
  return { description: `${description}\n\nThe key needs the scope \`${scope}\`.`, security };
}

/** `X-Request-Id`, which any request may have. */
export const REQUEST_ID: ZodOpenApiParameterObject = {
  name: 'X-Request-Id',
  in: 'header',
  description:
    'An id for this request, to find it again in logs: 1 to 64 letters, digits and dashes. Anything else is ignored, and a new one made.',
  schema: { type: 'string' },
};

/** `If-None-Match`, of what is tagged. */
export const IF_NONE_MATCH: ZodOpenApiParameterObject = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of an answer that the client has: 304 when it is still right.',
  schema: { type: 'string' },
};
