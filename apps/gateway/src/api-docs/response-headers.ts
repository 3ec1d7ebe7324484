import type { ZodOpenApiHeaderObject } from 'zod-openapi';

type Header = ZodOpenApiHeaderObject & { readonly description: string };

const text = { type: 'string' } as const;
const seconds = { type: 'integer', minimum: 1 } as const;

/** The headers of responses, by name, without the security headers that every response has. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'The id of the request: the one that was sent, if it is valid, else a new one.',
    required: true,
    schema: { ...text, pattern: '^[A-Za-z0-9-]{1,64}$' },
  },
  'Cache-Control': {
    description: 'Whether the response may be cached, and for how long.',
    required: true,
    schema: text,
  },
  Location: { description: 'The URL of what was created.', required: true, schema: text },
  'Idempotency-Replayed': {
    description: 'The offset was accepted before, under the same key; nothing was created.',
    schema: { ...text, const: 'true' },
  },
  Link: {
    description: 'The next page (RFC 8288): `</v1/…?…>; rel="next"`. Absent on the last page.',
    schema: { ...text, pattern: '^</v1/[^>]+>; rel="next"$' },
  },
  'X-Total-Count': {
    description: 'The number of assets on all pages.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'X-Search-Hints': {
    description: 'Where to read why the search finds nothing: `/v1/assets/hints?…`. Only if it finds nothing.',
    schema: { ...text, pattern: '^/v1/assets/hints\\?[^ ]+$' },
  },
  ETag: {
    description: 'The entity tag of the response in its content coding, to be sent as `If-None-Match`.',
    required: true,
    schema: { ...text, pattern: '^"[^"]+"$' },
  },
  Age: { description: 'How many seconds the response was cached.', schema: { type: 'integer', minimum: 0 } },
  'Retry-After': { description: 'The seconds to wait before trying again.', required: true, schema: seconds },
  'RateLimit-Policy': {
    description:
      "The limit of the key's plan, if it has one (draft-ietf-httpapi-ratelimit-headers): its name, `q` requests at once, and as many again within `w` seconds.",
    schema: text,
    example: '"default";q=200;w=2',
  },
  RateLimit: {
    description:
      'The rest of that limit (draft-ietf-httpapi-ratelimit-headers): `r` requests may be sent at once, and in `t` seconds at least one more.',
    schema: text,
    example: '"default";r=57;t=1',
  },
  'WWW-Authenticate': { description: 'How to authenticate.', required: true, schema: text },
  Allow: { description: 'The methods of this URL.', required: true, schema: text },
} as const satisfies Readonly<Record<string, Header>>;

/** A name of {@link RESPONSE_HEADERS}. */
export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** Returns references to headers, for a response. */
export function headers(...names: readonly ResponseHeader[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The headers of responses to a caller whose plan has limits. */
export const LIMIT_HEADERS: readonly ResponseHeader[] = ['RateLimit-Policy', 'RateLimit'];
