import { fingerprint, type OffsetRequestedV1 } from '@carbon/contracts';
import { requestedRow, requestSchema } from './requests.js';

const VALID = {
  id: 'off_00000000000000000000000001',
  account: 'default',
  kgCO2e: 2,
  grams: '2000',
  createdAt: '2026-11-21T08:00:00.000Z',
  fingerprint: fingerprint({ kgCO2e: 2 }),
};

describe('reading offset.requested.v1', () => {
  it('accepts a valid request with members that a newer version added', () => {
    expect(requestSchema.parse({ ...VALID, colour: 'green' })).toMatchObject({ id: VALID.id, grams: 2_000n });
    expect(requestSchema.parse(VALID).failure).toBeNull();
  });

  it.each([
    ['its weight is negative', { kgCO2e: -2 }, { kgCO2e: 0 }],
    ['its weight is text', { kgCO2e: '2' }, { kgCO2e: 0 }],
    ['its reference is no text', { customerRef: 7 }, { kgCO2e: 2, customerRef: null }],
    ['its time is no time', { createdAt: 'yesterday' }, { kgCO2e: 2 }],
    ['its fingerprint is invalid', { fingerprint: 'x' }, { kgCO2e: 2 }],
    ['its grams are missing', { grams: undefined }, { kgCO2e: 2 }],
  ])('makes a failed offset of it when %s', (_, change, read) => {
    const offset = requestSchema.parse({ ...VALID, ...change });
    expect(offset).toMatchObject({ id: VALID.id, account: 'default', failure: { code: 'request_rejected' } });
    expect(offset).toMatchObject(read);
  });

  it.each([
    ['a number beyond the largest', '{"kgCO2e":1e999}'],
    ['a lone surrogate', '{"customerRef":"\\ud800"}'],
    ['a lone surrogate in an unknown member, and another error', '{"kgCO2e":-1,"colour":"\\udfff"}'],
    ['very deep nesting', `{"kgCO2e":-1,"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('makes a failed offset of it when it has %s, with the same fingerprint each time', (_, change) => {
    const read = () => requestSchema.parse({ ...VALID, ...JSON.parse(change) });
    expect(read()).toMatchObject({ id: VALID.id, failure: { code: 'request_rejected' } });
    expect(read().fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(read().fingerprint).toBe(read().fingerprint);
  });

  it.each([
    ['no object', 'off'],
    ['no id', { ...VALID, id: undefined }],
    ['an id of another form', { ...VALID, id: 'off_1' }],
    ['no account', { ...VALID, account: 'NO ACCOUNT' }],
  ])('rejects a value with %s, and says where it is wrong', (_, value) => {
    const result = requestSchema.safeParse(value);
    expect(result.success).toBe(false);
    expect(result.error?.issues.length).toBeGreaterThan(0);
  });
});

describe('the row of a request', () => {
  const REQUEST: OffsetRequestedV1 = {
    id: 'off_00000000000000000000000001',
    account: 'default',
    kgCO2e: 1234.5,
    grams: '1234500',
    customerRef: 'u-1',
    createdAt: '2026-11-21T08:00:00.000Z',
    fingerprint: fingerprint({ kgCO2e: 1234.5, customerRef: 'u-1' }),
  };

  it('has the members of the request', () => {
    const { createdAt: _, ...rest } = REQUEST;
    expect(requestedRow(REQUEST)).toEqual({
      ...rest,
      ...{ grams: 1_234_500n, estimateId: null, processingAt: null, costMicros: null, failure: null },
    });
  });

  it('fails when its grams contradict its kilograms', () => {
    const { grams, failure } = requestedRow({ ...REQUEST, grams: '99999999999999999999999999' });
    expect(grams).toBe(1_234_500n);
    expect(failure?.code).toBe('request_rejected');
    expect(failure?.detail).toContain('grams does not match kgCO2e');
  });

  it('fails when its fingerprint is that of another request', () => {
    expect(requestedRow({ ...REQUEST, kgCO2e: 1, grams: '1000' }).failure?.code).toBe('request_rejected');
  });

  it('has no weight, and the fingerprint of the whole message, when the members cannot be read', () => {
    const { id, account } = REQUEST;
    const read = (more: object) => requestSchema.parse({ id, account, kgCO2e: -5, ...more });
    expect(read({})).toMatchObject({ id, account, kgCO2e: 0, grams: 0n, failure: { code: 'request_rejected' } });
    expect(read({}).fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(read({}).fingerprint).toBe(read({}).fingerprint);
    expect(read({ colour: 'green' }).fingerprint).not.toBe(read({}).fingerprint);
  });
});
