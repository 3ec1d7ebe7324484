import type { Described, Response } from './operation-at.js';
import type { Schemas } from './schemas.js';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Of the connection, of the body, and against misuse in browsers: the same for every answer, and told of in words. */
const OF_EVERY_ANSWER: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'referrer-policy',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
]);

/** What is wrong with the head of an answer: a header that must be there and is not, is not described, or is not so. */
export function headerFaults(
  { components }: Described,
  schemas: Schemas,
  { headers: described = {} }: Response,
  headers: Headers,
): string[] {
  const faults: string[] = [];
  const known = new Map(Object.entries(described).map(([name, { $ref }]) => [name.toLowerCase(), $ref.slice(1)]));
  for (const [name, pointer] of known) {
    const header = components.headers?.[pointer.split('/').at(-1) ?? ''] as {
      required?: boolean;
      schema: { type: string };
    };
    const value = headers[name];
    if (value === undefined) {
      if (header.required === true) faults.push(`the header ${name} is missing`);
      continue;
    }
    const read = header.schema.type === 'integer' ? Number(value) : value;
    faults.push(...schemas.faultsAt(`${pointer}/schema`, read).map((fault) => `the header ${name}: ${fault}`));
  }
  for (const name of Object.keys(headers)) {
    if (known.has(name) || OF_EVERY_ANSWER.has(name) || name.startsWith('access-control-')) continue;
    faults.push(`the header ${name} is not described`);
  }
  return faults;
}
