import { checkBody, RequestError } from '@carbon/http';
import { idempotencyKey, offsetRequestBody } from './offset-request.js';

/** Returns the errors that `read` reports, or the code if it lists none. */
function mistakesOf(read: () => unknown, withDetail = false): string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (error.items.length === 0) return [error.code];
    return error.items.map(({ field, code, detail }) => `${field} ${code}${withDetail ? `: ${detail}` : ''}`);
  }
}

describe('the body of a new offset', () => {
  it.each([
    { kgCO2e: 1234.5 },
    { kgCO2e: Number.MIN_VALUE },
    { kgCO2e: 1e12 },
    { kgCO2e: 1, estimateId: 'e', customerRef: 'c' },
    { kgCO2e: 1, customerRef: '🌳'.repeat(256) },
  ])('may be %j', (body) => {
    expect(checkBody(offsetRequestBody, body)).toEqual(body);
  });

  it.each([
    [{}, 'kgCO2e missing_field: is missing; must be a number'],
    [{ kgCO2e: '1' }, 'kgCO2e invalid_field: must be a number, not a string'],
    [{ kgCO2e: 0 }, 'kgCO2e invalid_field: must be greater than 0'],
    [{ kgCO2e: -1 }, 'kgCO2e invalid_field: must be greater than 0'],
    [{ kgCO2e: 1e12 + 1 }, 'kgCO2e invalid_field: must be at most 1000000000000 kilograms'],
    [{ kgCO2e: 1, customerRef: '' }, 'customerRef invalid_field: must be 1 to 256 characters long'],
    [{ kgCO2e: 1, estimateId: 'e'.repeat(257) }, 'estimateId invalid_field: must be 1 to 256 characters long'],
    [{ kgCO2e: 1, customerRef: 'a\u0000' }, 'customerRef invalid_field: must not contain control characters'],
    [
      { kgCO2e: 1, customerRef: null },
      'customerRef invalid_field: must be a string, not null; omit it if there is none',
    ],
    [{ kgCO2e: 1, kgCo2e: 1 }, 'kgCo2e unknown_field: unknown field; did you mean kgCO2e?'],
  ])('may not be %j', (body, error) => {
    expect(mistakesOf(() => checkBody(offsetRequestBody, body), true)).toEqual([error]);
  });
});

describe('the Idempotency-Key', () => {
  const keyOf = (...values: string[]) =>
    idempotencyKey({
      headers: values.length > 0 ? { 'idempotency-key': values.join(', ') } : {},
      rawHeaders: values.flatMap((value) => ['idempotency-KEY', value]),
    });

  it.each([undefined, 'k', '"8e03978e"', 'k'.repeat(255), '!~', 'a,b'])('may be %s', (key) => {
    expect(keyOf(...(key === undefined ? [] : [key]))).toBe(key);
  });

  it.each(['', ' ', 'a b', 'k'.repeat(256), 'ü', 'a\u007f', 'a\tb'])('may not be %j', (key) => {
    expect(mistakesOf(() => keyOf(key))).toEqual(['Idempotency-Key invalid_header']);
  });

  it('may not be sent twice', () => {
    expect(mistakesOf(() => keyOf('a', 'a'))).toEqual(['Idempotency-Key duplicate_header']);
  });
});
