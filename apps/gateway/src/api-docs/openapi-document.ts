import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { createDocument } from 'zod-openapi';
import { ASSET_PATHS, ASSET_SCHEMAS } from '../assets/assets.openapi.js';
import { ESTIMATE_PATHS, ESTIMATE_SCHEMAS } from '../estimates/estimates.openapi.js';
import { OFFSET_PATHS, OFFSET_SCHEMAS } from '../offsets/offsets.openapi.js';
import { RETIREMENT_PATHS, RETIREMENT_SCHEMAS } from '../retirements/retirements.openapi.js';
import { ABOUT_PATHS } from './about.openapi.js';
import { simplifySchema } from './openapi-parameters.js';
import { SECURITY_SCHEMES, TAGS } from './operation.js';
import { NAMED_PROBLEM_SCHEMAS } from './problem-schemas.js';
import { RESPONSE_HEADERS } from './response-headers.js';

/** The document has the version of the package that serves it. */
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')));

const DESCRIPTION = `
Offset emissions by retiring carbon credits, and search the library of pools and projects that credits come from.
A *credit* is one tonne of CO2-equivalent.

### First steps

1. **Authenticate**: send \`Authorization: Bearer <key>\` (or \`X-API-Key: <key>\`) with every request; here, press
   *Authorize*. An open gateway, as \`npm start\` runs it on a laptop, needs no key.
2. **Create an offset**: \`POST /v1/offsets\` with \`{"kgCO2e": 1234.5}\`. The response, 202, has its id.
3. **Read the offset**: \`GET /v1/offsets?id=<id>\`. It is \`completed\` once every gram is retired;
   \`GET /v1/retirements?offset=<id>\` is the receipt.
4. **Search assets**: \`GET /v1/assets/pools?criteria=source: TOUCAN and rating >= 2&fullTextSearch=\`, with the value encoded;
   \`GET /v1/assets/schema\` describes the searchable fields.

### What holds everywhere

- **Idempotency**: give \`POST /v1/offsets\` an \`Idempotency-Key\` of your own, and send it again with the same key
  whenever the response is lost.
- **Parameters** are read strictly: an unknown, repeated or empty one is an error. Encode \`&\` as \`%26\` and \`+\` as \`%2B\`.
- **Lists** come in pages. \`Link\` leads to the next one, and is absent on the last.
- **Errors** are problem documents (RFC 9457): \`code\` for programs, \`detail\` and \`errors\` for people, with every
  mistake at once. [/problems](/problems) explains every code.
- **Scopes** of keys: \`offsets:write\` creates offsets and estimates, \`offsets:read\` reads them and receipts,
  \`assets:read\` searches. Each operation says which one it needs.
- **Limits**: 16 KiB of body, 16 KiB of URL, 24 KiB of head, 10 seconds for a request to arrive, and those of your
  key's plan, in \`RateLimit-Policy\` and \`RateLimit\`.
- **HEAD** responds like GET without a body; **OPTIONS** with 204 and \`Allow\`. A slash at the end makes another URL.
- **Compatibility**: under \`/v1\`, responses may gain members, and problems codes; ignore what you do not know. Nothing is
  removed.
`.trim();

/** The named schemas of the document. */
const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  ...OFFSET_SCHEMAS,
  ...ESTIMATE_SCHEMAS,
  ...RETIREMENT_SCHEMAS,
  ...ASSET_SCHEMAS,
  ...NAMED_PROBLEM_SCHEMAS,
};

for (const [id, schema] of Object.entries(SCHEMAS)) z.globalRegistry.add(schema, { ...schema.meta(), id });

/** Returns the whole HTTP API in OpenAPI 3.1, generated from the schemas of requests and responses. */
export function openApiDocument(): ReturnType<typeof createDocument> {
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Carbon Offsets',
        version,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags: [...TAGS],
      paths: { ...OFFSET_PATHS, ...ESTIMATE_PATHS, ...RETIREMENT_PATHS, ...ASSET_PATHS, ...ABOUT_PATHS },
      components: { headers: RESPONSE_HEADERS, securitySchemes: SECURITY_SCHEMES },
    },
    { override: simplifySchema },
  );
}
