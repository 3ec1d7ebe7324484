import { fingerprint, type OffsetRequestedV1 } from '@carbon/contracts';
import { requestedRow, requestSchema } from './requests.js';

const SOUND = {
  id: 'off_00000000000000000000000001',
  account: 'default',
  kgCO2e: 2,
  grams: '2000',
  createdAt: '2026-11-21T08:00:00.000Z',
  fingerprint: fingerprint({ kgCO2e: 2 }),
};

describe('reading offset.requested.v1', () => {
  it('takes a sound request, whatever a newer writer has added', () => {
    expect(requestSchema.parse({ ...SOUND, colour: 'green' })).toMatchObject({ id: SOUND.id, grams: 2_000n });
    expect(requestSchema.parse(SOUND).failure).toBeNull();
  });

  it.each([
    ['its weight is negative', { kgCO2e: -2 }, { kgCO2e: 0 }],
    ['its weight is text', { kgCO2e: '2' }, { kgCO2e: 0 }],
    ['its reference is no text', { customerRef: 7 }, { kgCO2e: 2, customerRef: null }],
    ['its time is no time', { createdAt: 'yesterday' }, { kgCO2e: 2 }],
    ['its fingerprint is none', { fingerprint: 'x' }, { kgCO2e: 2 }],
    ['its grams are missing', { grams: undefined }, { kgCO2e: 2 }],
  ])('records it as failed when %s', (_, change, read) => {
    const offset = requestSchema.parse({ ...SOUND, ...change });
    expect(offset).toMatchObject({ id: SOUND.id, account: 'default', failure: { code: 'request_rejected' } });
    expect(offset).toMatchObject(read);
  });

  it.each([
    ['a number beyond every number', '{"kgCO2e":1e999}'],
    ['half a character', '{"customerRef":"\\ud800"}'],
    ['half a character where nobody looks, beside another fault', '{"kgCO2e":-1,"colour":"\\udfff"}'],
    ['a nesting without end', `{"kgCO2e":-1,"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('records it as failed when it holds %s, however often it comes', (_, change) => {
    const read = () => requestSchema.parse({ ...SOUND, ...JSON.parse(change) });
    expect(read()).toMatchObject({ id: SOUND.id, failure: { code: 'request_rejected' } });
    expect(read().fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(read().fingerprint).toBe(read().fingerprint);
  });

  it.each([
    ['no object', 'off'],
    ['no id', { ...SOUND, id: undefined }],
    ['an id of another form', { ...SOUND, id: 'off_1' }],
    ['no account', { ...SOUND, account: 'NO ACCOUNT' }],
  ])('gives up on what has %s, and says where it is wrong', (_, value) => {
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

  it('has what the request says', () => {
    const { createdAt: _, ...rest } = REQUEST;
    expect(requestedRow(REQUEST)).toEqual({
      ...rest,
      ...{ grams: 1_234_500n, estimateId: null, costMicros: null, failure: null },
    });
  });

  it('fails when its grams are not its kilograms', () => {
    const { grams, failure } = requestedRow({ ...REQUEST, grams: '99999999999999999999999999' });
    expect(grams).toBe(1_234_500n);
    expect(failure?.code).toBe('request_rejected');
    expect(failure?.detail).toContain('its grams are not its kgCO2e');
  });

  it('fails when its fingerprint is that of another request', () => {
    expect(requestedRow({ ...REQUEST, kgCO2e: 1, grams: '1000' }).failure?.code).toBe('request_rejected');
  });

  it('has no weight and the fingerprint of the whole message when little can be read', () => {
    const { id, account } = REQUEST;
    const read = (more: object) => requestSchema.parse({ id, account, kgCO2e: -5, ...more });
    expect(read({})).toMatchObject({ id, account, kgCO2e: 0, grams: 0n, failure: { code: 'request_rejected' } });
    expect(read({}).fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(read({}).fingerprint).toBe(read({}).fingerprint);
    expect(read({ colour: 'green' }).fingerprint).not.toBe(read({}).fingerprint);
  });
});
