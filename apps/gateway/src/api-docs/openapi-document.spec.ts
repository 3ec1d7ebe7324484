import { readFileSync } from 'node:fs';
import { type OpenApiDocument, Schemas } from '@carbon/testing';
import fc from 'fast-check';
import type { z } from 'zod';
import { estimateRequestBody } from '../estimates/estimate-request.js';
import { offsetRequestBody } from '../offsets/offset-request.js';
import { openApiDocument } from './openapi-document.js';

const document = openApiDocument();
const schemas = new Schemas(JSON.parse(JSON.stringify(document)) as OpenApiDocument);

describe('the description of the API', () => {
  it('has the version of the service', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'));
    expect(document.info.version).toBe(version);
  });

  it('has 406 under /v1 only', () => {
    const insisting = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
      [item?.get, item?.post].filter((operation) => operation?.responses?.['406'] !== undefined).map(() => path),
    );
    const api = Object.entries(document.paths ?? {}).filter(([path]) => path.startsWith('/v1/'));
    const operations = api.flatMap(([path, { get, post } = {}]) => [get, post].filter(Boolean).map(() => path));
    expect(insisting).toEqual(operations);
  });

  it.each(['Unauthorized', 'MethodNotAllowed', 'NotAcceptable', 'UriTooLong'])(
    'has no limit headers before authentication: %s',
    (name) => {
      const headers = Object.keys(Object(document.components?.responses?.[name]).headers);
      expect(headers).toContain('X-Request-Id');
      expect(headers).not.toEqual(expect.arrayContaining([expect.stringContaining('RateLimit')]));
    },
  );

  it('allows further members in responses, and none in request bodies', () => {
    const closed = Object.entries(document.components?.schemas ?? {}).filter(([, schema]) =>
      JSON.stringify(schema).includes('"additionalProperties":false'),
    );
    expect(closed.map(([name]) => name)).toEqual(['NewOffset', 'NewEstimate']);
  });
});

const text = fc.oneof(
  fc.string({ maxLength: 5 }),
  fc.string({ unit: 'grapheme', minLength: 250, maxLength: 260 }),
  fc.constantFrom('\u0000', 'a\u007f', '\u0085', '😀'.repeat(256), '😀'.repeat(257), 'pool_bct', 'proj_', 'pool_A'),
);
const weights = fc.oneof(
  { weight: 3, arbitrary: fc.double({ min: 1e-9, max: 1e12, noNaN: true }) },
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e12, 1e12 + 1, 5e-324, -1),
);
const value = fc.oneof(
  { weight: 4, arbitrary: weights },
  { weight: 4, arbitrary: text },
  fc.constantFrom(null, true, [], {}),
);

const soundWeight = fc.double({ min: 1e-9, max: 1e12, noNaN: true });
const soundText = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 5 });

const BODIES = {
  NewOffset: {
    schema: offsetRequestBody,
    members: { kgCO2e: weights, estimateId: value, customerRef: value },
    sound: { kgCO2e: soundWeight, estimateId: soundText, customerRef: soundText },
  },
  NewEstimate: {
    schema: estimateRequestBody,
    members: { kgCO2e: weights, asset: value },
    sound: { kgCO2e: soundWeight, asset: fc.constantFrom('pool_bct', 'proj_vcs-12') },
  },
} as const;

describe.each(Object.entries(BODIES))('a body of %s', (name, { schema, members, sound }) => {
  const isDescribed = (body: unknown) => schemas.errorsAt(`/components/schemas/${name}`, body).length === 0;
  const arbitraries: Record<string, fc.Arbitrary<unknown>> = members;
  const soundOnes: Record<string, fc.Arbitrary<unknown>> = sound;
  const bodies = fc.oneof(
    // Random members would rarely give a valid body.
    { weight: 2, arbitrary: fc.record(soundOnes, { requiredKeys: ['kgCO2e'] }) },
    { weight: 4, arbitrary: fc.record(arbitraries, { requiredKeys: ['kgCO2e'] }) },
    { weight: 1, arbitrary: fc.record(arbitraries, { requiredKeys: [] }) },
    { weight: 1, arbitrary: fc.record({ ...arbitraries, other: value }) },
    { weight: 1, arbitrary: value },
  );

  it('is accepted exactly when it matches the schema', () => {
    let taken = 0;
    fc.assert(
      fc.property(bodies, (body) => {
        const { success } = (schema as z.ZodType).safeParse(body);
        taken += success ? 1 : 0;
        return isDescribed(body) === success;
      }),
      { numRuns: 1_000 },
    );
    expect(taken).toBeGreaterThan(100);
  });
});
