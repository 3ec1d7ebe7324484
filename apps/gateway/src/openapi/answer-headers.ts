import type { ZodOpenApiHeaderObject } from 'zod-openapi';

type Header = ZodOpenApiHeaderObject & { readonly description: string };

const text = { type: 'string' } as const;
const seconds = { type: 'integer', minimum: 1 } as const;

/** The headers of answers, by name. Those that every browser-facing answer has against misuse are told in the text. */
export const ANSWER_HEADERS = {
  'X-Request-Id': {
    description: 'The id of the request: the one that was sent, where it has the form, else a new one.',
    required: true,
    schema: { ...text, pattern: '^[A-Za-z0-9-]{1,64}$' },
  },
  'Cache-Control': { description: 'Whether the answer may be kept, and for how long.', required: true, schema: text },
  Location: { description: 'Where what was created can be read.', required: true, schema: text },
  'Idempotency-Replayed': {
    description: 'This offset was accepted before, under the same key; nothing new was created.',
    schema: { ...text, const: 'true' },
  },
  Link: {
    description: 'The next page (RFC 8288): `</v1/…?…>; rel="next"`. Absent on the last page.',
    schema: { ...text, pattern: '^</v1/[^>]+>; rel="next"$' },
  },
  'X-Total-Count': {
    description: 'How many assets there are on all pages.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  ETag: {
    description: 'The tag of this answer, to be sent as `If-None-Match`.',
    required: true,
    schema: { ...text, pattern: '^"[^"]+"$' },
  },
  Age: { description: 'For how many seconds the answer was kept.', schema: { type: 'integer', minimum: 0 } },
  'Retry-After': { description: 'After how many seconds to try again.', required: true, schema: seconds },
  'RateLimit-Policy': {
    description:
      "The limit of the key's plan, where it has one (draft-ietf-httpapi-ratelimit-headers): by its name, `q` requests at once, and as many again within `w` seconds.",
    schema: text,
    example: '"default";q=200;w=2',
  },
  RateLimit: {
    description:
      'What is left of that limit now (draft-ietf-httpapi-ratelimit-headers): `r` requests may be sent at once, and in `t` seconds there is at least one more.',
    schema: text,
    example: '"default";r=57;t=1',
  },
  'WWW-Authenticate': { description: 'How to say who calls.', required: true, schema: text },
  Allow: { description: 'The methods of this URL.', required: true, schema: text },
} as const satisfies Readonly<Record<string, Header>>;

/** A name of {@link ANSWER_HEADERS}. */
export type AnswerHeader = keyof typeof ANSWER_HEADERS;

/** References to headers, for an answer. */
export function headers(...names: readonly AnswerHeader[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
