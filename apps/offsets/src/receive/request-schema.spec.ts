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
    ['its weight is negative', { kgCO2e: -2 }, { kgCO2e: 0, createdAt: SOUND.createdAt }],
    ['its weight is text', { kgCO2e: '2' }, { kgCO2e: 0 }],
    ['its reference is no text', { customerRef: 7 }, { kgCO2e: 2, customerRef: undefined }],
    ['its time is no time', { createdAt: 'yesterday' }, { kgCO2e: 2, createdAt: undefined }],
    ['its fingerprint is none', { fingerprint: 'x' }, { kgCO2e: 2 }],
    ['its grams are missing', { grams: undefined }, { kgCO2e: 2 }],
  ])('records it as failed when %s', (_, change, read) => {
    const offset = requestSchema.parse({ ...SOUND, ...change });
    expect(offset).toMatchObject({ id: SOUND.id, account: 'default', failure: { code: 'request_rejected' } });
    expect(offset).toMatchObject(read);
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
