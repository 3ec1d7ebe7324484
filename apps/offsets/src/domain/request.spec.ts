import { fingerprint, type OffsetRequestedV1 } from '@carbon/contracts';
import { rejected, requested } from './request.js';

const REQUEST: OffsetRequestedV1 = {
  id: 'off_00000000000000000000000001',
  account: 'default',
  kgCO2e: 1234.5,
  grams: '1234500',
  customerRef: 'u-1',
  createdAt: '2026-11-21T08:00:00.000Z',
  fingerprint: fingerprint({ kgCO2e: 1234.5, customerRef: 'u-1' }),
};

describe('a requested offset', () => {
  it('is taken as it was asked for', () => {
    const { createdAt: _, ...rest } = REQUEST;
    expect(requested(REQUEST)).toEqual({ ...rest, grams: 1_234_500n, estimateId: undefined, failure: undefined });
  });

  it('fails when its grams are not its kilograms', () => {
    const { grams, failure } = requested({ ...REQUEST, grams: '99999999999999999999999999' });
    expect(grams).toBe(1_234_500n);
    expect(failure?.code).toBe('request_rejected');
    expect(failure?.detail).toContain('its grams are not its kgCO2e');
  });

  it('fails when its fingerprint is that of another wish', () => {
    expect(requested({ ...REQUEST, kgCO2e: 1, grams: '1000' }).failure?.code).toBe('request_rejected');
  });

  it('of which little can be read fails, with no weight and a fingerprint of all that came', () => {
    const { id, account } = REQUEST;
    const whole = { id, account, kgCO2e: -5 };
    const offset = rejected({ id, account }, whole, 'kgCO2e: too small');
    expect(offset).toMatchObject({ id, account, kgCO2e: 0, grams: 0n, failure: { code: 'request_rejected' } });
    expect(offset.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(offset.fingerprint).toBe(rejected({ id, account }, { ...whole }, '').fingerprint);
  });
});
