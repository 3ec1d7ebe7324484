import { CarbonClient } from './index.js';

const baseUrl = 'https://carbon.example';

describe('a client', () => {
  it.each([
    ['no address', { baseUrl: 'carbon.example' }],
    ['another scheme', { baseUrl: 'ftp://carbon.example' }],
    ['a name within the address', { baseUrl: 'https://me:secret@carbon.example' }],
    ['a query within the address', { baseUrl: `${baseUrl}?a=1` }],
    ['a key with a space', { baseUrl, key: 'a b' }],
    ['an empty key', { baseUrl, key: '' }],
    ['no time', { baseUrl, timeoutMs: 0 }],
    ['more time than a timer has', { baseUrl, tryMs: 2 ** 31 }],
    ['half a try', { baseUrl, tries: 0.5 }],
    ['no number', { baseUrl, tries: Number.NaN }],
  ])('is not made with %s, and what was given is not repeated when it may be secret', (_, options) => {
    expect(() => new CarbonClient(options)).toThrow(RangeError);
    expect(() => new CarbonClient(options)).not.toThrow('secret');
  });

  it('does not send an idempotency key that is none', async () => {
    const asked: unknown[] = [];
    const noted: typeof fetch = async (url) => {
      asked.push(url);
      return Response.json({});
    };
    const carbon = new CarbonClient({ baseUrl, fetch: noted });
    for (const idempotencyKey of ['', 'a b', 'a\nb', 'ü', 'x'.repeat(256)]) {
      await expect(carbon.offsets.create({ kgCO2e: 1 }, { idempotencyKey })).rejects.toThrow(RangeError);
    }
    expect(asked).toEqual([]);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('does not send %d', async (none) => {
    const carbon = new CarbonClient({ baseUrl, fetch: () => Promise.reject(new Error('it was sent')) });
    for (const ask of [
      () => carbon.offsets.create({ kgCO2e: none }),
      () => carbon.estimates.create({ kgCO2e: none }),
      () => carbon.offsets.list({ limit: none }).page(),
      () => carbon.pools.search({ limit: none }).page(),
    ]) {
      await expect(ask()).rejects.toThrow(RangeError);
    }
  });

  it('does not send an API key as an idempotency key, nor repeat it', async () => {
    const asked: unknown[] = [];
    const noted: typeof fetch = async (url) => {
      asked.push(url);
      return Response.json({});
    };
    const carbon = new CarbonClient({ baseUrl, fetch: noted });
    for (const idempotencyKey of ['cl_live_0123456789ab_secret', 'order-cl_live_secret']) {
      const work = carbon.offsets.create({ kgCO2e: 1 }, { idempotencyKey });
      await expect(work).rejects.toThrow(new TypeError('an API key is no idempotency key; it goes into `key`'));
    }
    expect(asked).toEqual([]);
  });
});
