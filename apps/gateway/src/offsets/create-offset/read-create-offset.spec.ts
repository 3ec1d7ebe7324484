import type { IncomingMessage } from 'node:http';
import { UserFault } from '@carbon/faults';
import { readCreateOffset } from './read-create-offset.js';

const read = (url: string, key: string | undefined, body: unknown) => {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const raw = { url, headers, rawHeaders: Object.entries(headers).flat() } as unknown as IncomingMessage;
  return readCreateOffset({ raw, body } as Parameters<typeof readCreateOffset>[0]);
};
const faultOf = (...given: Parameters<typeof read>) => {
  try {
    return read(...given);
  } catch (error) {
    if (!(error instanceof UserFault)) throw error;
    return { code: error.code, items: error.items.map(({ field, code }) => `${field}: ${code}`) };
  }
};

describe('reading POST /v1/offsets', () => {
  it('finds the wish, and the key where there is one', () => {
    expect(read('/v1/offsets', undefined, { kgCO2e: 1 })).toEqual({ wish: { kgCO2e: 1 }, key: undefined });
    expect(read('/v1/offsets?', 'k', { kgCO2e: 1 })).toEqual({ wish: { kgCO2e: 1 }, key: 'k' });
  });

  it('names the mistakes of address, header and body together', () => {
    expect(faultOf('/v1/offsets?dryRun=1', 'a b', { kgCO2e: '1' })).toEqual({
      code: 'invalid_request',
      items: ['dryRun: unknown_parameter', 'Idempotency-Key: invalid_header', 'kgCO2e: invalid_field'],
    });
  });

  it('refuses a missing body as no JSON', () => {
    expect(faultOf('/v1/offsets', undefined, undefined)).toEqual({ code: 'invalid_json', items: [] });
  });
});
