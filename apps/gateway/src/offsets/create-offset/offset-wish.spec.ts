import { checkBody, UserFault } from '@carbon/faults';
import fc from 'fast-check';
import { offsetWish } from './offset-wish.js';

const faultsOf = (body: unknown) => {
  try {
    checkBody(offsetWish, body);
    return [];
  } catch (error) {
    if (!(error instanceof UserFault)) throw error;
    return error.items.map(({ field, code, detail }) => `${field} ${code}: ${detail}`);
  }
};

describe('the body of a new offset', () => {
  it.each([
    { kgCO2e: 1234.5 },
    { kgCO2e: Number.MIN_VALUE },
    { kgCO2e: 1e12 },
    { kgCO2e: 1, estimateId: 'e', customerRef: 'c' },
    { kgCO2e: 1, customerRef: '🌳'.repeat(256) },
    { kgCO2e: 1, estimateId: 'no such estimate, which is a failed offset and no mistake here' },
  ])('may be %j', (body) => {
    expect(checkBody(offsetWish, body)).toEqual(body);
  });

  it('takes any weight above zero and up to 1e12 as it is', () => {
    fc.assert(
      fc.property(fc.double({ min: Number.MIN_VALUE, max: 1e12, noNaN: true }), (kgCO2e) => {
        expect(checkBody(offsetWish, { kgCO2e })).toEqual({ kgCO2e });
      }),
    );
  });

  it.each([
    [{}, 'kgCO2e missing_field: is missing; it must be a number'],
    [{ kgCO2e: '1' }, 'kgCO2e invalid_field: must be a number, not a string'],
    [{ kgCO2e: true }, 'kgCO2e invalid_field: must be a number, not a boolean'],
    [{ kgCO2e: null }, 'kgCO2e invalid_field: must be a number, not null'],
    [{ kgCO2e: 0 }, 'kgCO2e invalid_field: must be greater than 0'],
    [{ kgCO2e: -0 }, 'kgCO2e invalid_field: must be greater than 0'],
    [{ kgCO2e: -1 }, 'kgCO2e invalid_field: must be greater than 0'],
    [{ kgCO2e: 1e12 + 1 }, 'kgCO2e invalid_field: must be at most 1000000000000 kilograms'],
    [{ kgCO2e: Number.POSITIVE_INFINITY }, 'kgCO2e invalid_field: must be a finite number'],
    [{ kgCO2e: [1] }, 'kgCO2e invalid_field: must be a number, not an array'],
    [{ kgCO2e: 1, customerRef: 7 }, 'customerRef invalid_field: must be a string, not a number'],
    [{ kgCO2e: 1, customerRef: '' }, 'customerRef invalid_field: must be 1 to 256 characters long'],
    [{ kgCO2e: 1, estimateId: 'e'.repeat(257) }, 'estimateId invalid_field: must be 1 to 256 characters long'],
    [{ kgCO2e: 1, customerRef: 'a\u0000' }, 'customerRef invalid_field: must not contain control characters'],
    [
      { kgCO2e: 1, customerRef: null },
      'customerRef invalid_field: must be a string, not null; leave it out if there is none',
    ],
    [{ kgCO2e: 1, kgCo2e: 1 }, 'kgCo2e unknown_field: unknown field, did you mean kgCO2e?'],
    [
      { kgCO2e: 1, status: 'completed' },
      'status unknown_field: unknown field, known are kgCO2e, estimateId, customerRef',
    ],
  ])('may not be %j', (body, fault) => {
    expect(faultsOf(body)).toEqual([fault]);
  });

  it.each([[[]], ['text'], [7], [null], [true]])('is an object, not %j', (body) => {
    expect(faultsOf(body)).toHaveLength(1);
  });

  it('is told all its mistakes at once', () => {
    expect(faultsOf({ kgCo2e: 1, customerRef: '', estimateId: null })).toHaveLength(4);
  });
});
