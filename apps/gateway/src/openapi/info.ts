import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Beside the code wherever that runs: the document has the version of what serves it. */
const PACKAGE = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')));

const DESCRIPTION = `
Retire carbon credits against emissions, and search the library of pools and projects that credits come from.
A *credit* is one tonne of CO2-equivalent.

### First steps

1. **Show your key**: send \`Authorization: Bearer <key>\` (or \`X-API-Key: <key>\`) with every request; here, press
   *Authorize*. A gateway that runs open, as \`npm start\` does on a laptop, asks for none.
2. **Create an offset**: \`POST /v1/offsets\` with \`{"kgCO2e": 1234.5}\`. The answer, 202, holds its id.
3. **See what became of it**: \`GET /v1/offsets?id=<id>\`. It is \`completed\` once every gram is retired;
   \`GET /v1/retirements?offset=<id>\` is the receipt.
4. **Look around**: \`GET /v1/assets/pools?criteria=source: TOUCAN and rating >= 2&fullTextSearch=\`, with the value encoded;
   \`GET /v1/assets/schema\` tells what can be asked for.

### What holds everywhere

- **Sent twice, done once**: give \`POST /v1/offsets\` an \`Idempotency-Key\` of your own, and send it again with the same key
  whenever the answer is lost.
- **Parameters** are read strictly: an unknown, repeated or empty one is a mistake. Encode \`&\` as \`%26\` and \`+\` as \`%2B\`.
- **Lists** come in pages. \`Link\` leads to the next one, and is absent on the last.
- **What goes wrong** is told as a problem document (RFC 9457): \`code\` for programs, \`detail\` and \`errors\` for people,
  with every mistake at once. [/problems](/problems) explains every code.
- **Scopes** of keys: \`offsets:write\` creates offsets and estimates, \`offsets:read\` reads them and receipts,
  \`assets:read\` searches. Each operation says which one it needs.
- **Limits**: 16 KiB of body, 16 KiB of URL, 24 KiB of head, 10 seconds for a request to arrive, and those of your
  key's plan, which \`RateLimit-Policy\` and \`RateLimit\` tell.
- **HEAD** is answered like GET without a body; **OPTIONS** with 204 and \`Allow\`. A slash at the end makes another URL.
- **Later**: under \`/v1\`, answers may gain members, and problems codes; leave aside what you do not know. Nothing is taken
  away.
`.trim();

/** What the document is about. */
export const INFO = {
  title: 'Carbon Offsets',
  version: PACKAGE.version,
  description: DESCRIPTION,
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
} as const;

/** The groups of operations. */
export const TAGS = [
  { name: 'Offsets', description: 'Requests for credits to be retired, and what became of them.' },
  { name: 'Estimates', description: 'Prices that are held for a while.' },
  { name: 'Retirements', description: 'What was retired, as the ledger has it.' },
  { name: 'Assets', description: 'The library of pools and projects that credits come from.' },
  { name: 'About', description: 'The service itself. No key is needed.' },
];
