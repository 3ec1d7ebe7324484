import { z } from 'zod';
import { RequestError } from '../api-error.js';
import { suggestionFor } from '../suggestion.js';
import { checkBody } from './check-body.js';

const schema = z.strictObject({
  kgCO2e: z.number().positive({ error: 'must be above 0' }).max(1e12, { error: 'must be at most 1e12' }),
  customerRef: z.string().optional(),
  place: z.strictObject({ 'a/b~c': z.string() }).optional(),
  list: z.array(z.number()).optional(),
});

function faultOf(body: unknown): RequestError {
  try {
    checkBody(schema, body);
  } catch (error) {
    if (error instanceof RequestError) return error;
    throw error;
  }
  throw new Error('it was taken');
}

describe('checkBody', () => {
  it('gives what fits, typed by the schema', () => {
    const body: z.output<typeof schema> = checkBody(schema, { kgCO2e: 1 });
    expect(body).toEqual({ kgCO2e: 1 });
  });

  it('names an unknown field and the likely one', () => {
    const { code, detail, items } = faultOf({ kgCO2e: 1, kgCo2e: 2 });
    const unknown = 'unknown field, did you mean kgCO2e?';
    expect([code, detail]).toEqual(['invalid_request', `kgCo2e: ${unknown}`]);
    const place = { field: 'kgCo2e', pointer: '/kgCo2e' };
    expect(items).toEqual([{ ...place, code: 'unknown_field', detail: unknown, suggestion: 'kgCO2e' }]);
  });

  it.each([
    [{}, 'kgCO2e: is missing; it must be a number'],
    [{ kgCO2e: 1, colour: 2 }, 'colour: unknown field, known are kgCO2e, customerRef, place, list'],
    [{ kgCO2e: '1' }, 'kgCO2e: must be a number, not a string'],
    [{ kgCO2e: [1] }, 'kgCO2e: must be a number, not an array'],
    [{ kgCO2e: null }, 'kgCO2e: must be a number, not null'],
    [{ kgCO2e: 1, customerRef: null }, 'customerRef: must be a string, not null; leave it out if there is none'],
    [{ kgCO2e: 1, place: { 'a/b~c': null } }, 'place.a/b~c: must be a string, not null'],
    [{ kgCO2e: 1, list: [null] }, 'list.0: must be a number, not null'],
    [{ kgCO2e: Number.POSITIVE_INFINITY }, 'kgCO2e: must be a finite number'],
    [{ kgCO2e: 0 }, 'kgCO2e: must be above 0'],
    [{ kgCO2e: 1, customerRef: {} }, 'customerRef: must be a string, not an object'],
    [[], 'must be an object, not an array'],
    [null, 'must be an object, not null'],
  ])('says of %j: %s', (body, detail) => {
    expect(faultOf(body).detail).toBe(detail);
  });

  it('points into the body by RFC 6901', () => {
    const fault = faultOf({ kgCO2e: 1, place: { 'a/b~c': 1, 'x/y': 2 }, list: [1, 'two'] });
    expect(fault.items.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/place/a~1b~0c', 'invalid_field'],
      ['/place/x~1y', 'unknown_field'],
      ['/list/1', 'invalid_field'],
    ]);
  });

  it('lists ten mistakes and counts the rest', () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`zzzzz${at}`, at]));
    const fault = faultOf({ kgCO2e: 1, ...many });
    expect(fault.items).toHaveLength(10);
    expect(fault.detail).toBe('12 things are wrong; errors lists the first 10.');
  });

  it('says that a body is missing', () => {
    expect(faultOf(undefined).code).toBe('invalid_json');
  });
});

describe('the likely name', () => {
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
  ])('for %j is %j', (name, meant) => expect(suggestionFor(name, NAMES)).toBe(meant));
});
