import { z } from 'zod';
import { checkBody } from './body.js';
import { RequestError, suggestionFor } from './errors.js';

const schema = z.strictObject({
  kgCO2e: z.number().positive({ error: 'must be above 0' }).max(1e12, { error: 'must be at most 1e12' }),
  customerRef: z.string().optional(),
  place: z.strictObject({ 'a/b~c': z.string() }).optional(),
  list: z.array(z.number()).optional(),
});

function errorOf(body: unknown): RequestError {
  try {
    checkBody(schema, body);
  } catch (error) {
    if (error instanceof RequestError) return error;
    throw error;
  }
  throw new Error('the body was accepted');
}

describe('checkBody', () => {
  it('returns a valid body as the type of the schema', () => {
    const body: z.output<typeof schema> = checkBody(schema, { kgCO2e: 1 });
    expect(body).toEqual({ kgCO2e: 1 });
  });

  it('suggests the likely name of an unknown field', () => {
    const { code, detail, items } = errorOf({ kgCO2e: 1, kgCo2e: 2 });
    const unknown = 'unknown field; did you mean kgCO2e?';
    expect([code, detail]).toEqual(['invalid_request', `kgCo2e: ${unknown}`]);
    const place = { field: 'kgCo2e', pointer: '/kgCo2e' };
    expect(items).toEqual([{ ...place, code: 'unknown_field', detail: unknown, suggestion: 'kgCO2e' }]);
  });

  it.each([
    [{}, 'kgCO2e: is missing; must be a number'],
    [{ kgCO2e: 1, colour: 2 }, 'colour: unknown field; the fields are: kgCO2e, customerRef, place, list'],
    [{ kgCO2e: '1' }, 'kgCO2e: must be a number, not a string'],
    [{ kgCO2e: [1] }, 'kgCO2e: must be a number, not an array'],
    [{ kgCO2e: null }, 'kgCO2e: must be a number, not null'],
    [{ kgCO2e: 1, customerRef: null }, 'customerRef: must be a string, not null; omit it if there is none'],
    [{ kgCO2e: 1, place: { 'a/b~c': null } }, 'place.a/b~c: must be a string, not null'],
    [{ kgCO2e: 1, list: [null] }, 'list.0: must be a number, not null'],
    [{ kgCO2e: Number.POSITIVE_INFINITY }, 'kgCO2e: must be a finite number'],
    [{ kgCO2e: 0 }, 'kgCO2e: must be above 0'],
    [{ kgCO2e: 1, customerRef: {} }, 'customerRef: must be a string, not an object'],
    [[], 'must be an object, not an array'],
    [null, 'must be an object, not null'],
  ])('rejects %j with %s', (body, detail) => {
    expect(errorOf(body).detail).toBe(detail);
  });

  it('locates each error by a JSON pointer (RFC 6901)', () => {
    const error = errorOf({ kgCO2e: 1, place: { 'a/b~c': 1, 'x/y': 2 }, list: [1, 'two'] });
    expect(error.items.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/place/a~1b~0c', 'invalid_field'],
      ['/place/x~1y', 'unknown_field'],
      ['/list/1', 'invalid_field'],
    ]);
  });

  it('lists ten errors and counts the others', () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`zzzzz${at}`, at]));
    const error = errorOf({ kgCO2e: 1, ...many });
    expect(error.items).toHaveLength(10);
    expect(error.detail).toMatch(/^zzzzz0: unknown field; .* \(and 11 more errors; errors lists the first 10\)$/);
  });

  it('rejects a missing body as invalid JSON', () => {
    expect(errorOf(undefined).code).toBe('invalid_json');
  });
});

describe('suggestionFor', () => {
  const NAMES = ['kgCO2e', 'estimateId', 'customerRef', 'id'];

  it.each([
    ['kgCo2e', 'kgCO2e'],
    ['KGCO2E', 'kgCO2e'],
    ['kgCO2', 'kgCO2e'],
    ['estimateID', 'estimateId'],
    ['estimatId', 'estimateId'],
    ['customerreff', 'customerRef'],
    ['idd', 'id'],
    ['colour', undefined],
    ['kg', undefined],
    ['estim', undefined],
    ['', undefined],
    ['x'.repeat(10_000), undefined],
  ])('suggests for %j: %j', (name, meant) => expect(suggestionFor(name, NAMES)).toBe(meant));
});
