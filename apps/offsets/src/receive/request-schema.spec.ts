import { fingerprint } from '@carbon/contracts';
import { requestSchema } from './request-schema.js';

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
    expect(requestSchema.parse(SOUND).failure).toBeUndefined();
  });

  it.each([
    ['its weight is negative', { kgCO2e: -2 }, { kgCO2e: 0 }],
    ['its weight is text', { kgCO2e: '2' }, { kgCO2e: 0 }],
    ['its reference is no text', { customerRef: 7 }, { kgCO2e: 2, customerRef: undefined }],
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
