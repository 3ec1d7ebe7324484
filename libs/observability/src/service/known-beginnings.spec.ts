import { KnownBeginnings } from './known-beginnings.js';

const beginnings = new KnownBeginnings();
for (const route of ['/v1/offsets', '/v1/assets/pools', '/problems/:code', '/docs']) beginnings.add(route);

describe('what is logged of an address where nothing is', () => {
  it.each([
    ['/v1', '/v1'],
    ['/v1/offsets', '/v1/offsets'],
    ['/v1/offsets/ref-7', '/v1/offsets/…'],
    ['/v1/offsets/', '/v1/offsets/…'],
    ['/v1/assets/ref-7/pools', '/v1/assets/…'],
    ['/v1/cl_live_0123456789ab_secret', '/v1/…'],
    ['/v1/cl%5Flive%5F0123456789ab%5Fsecret', '/v1/…'],
    ['/problems/ref-7/x', '/problems/…'],
    ['/ref-7', '/…'],
    ['/', '/…'],
    ['/V1/offsets', '/…'],
    ['/v1;ref=7/offsets', '/…'],
    ['//v1', '/…'],
    ['*', '/…'],
    ['http://ref-7/v1', '/…'],
    ['', ''],
  ])('is of %j no more than a route begins with: %j', (path, logged) => expect(beginnings.of(path)).toBe(logged));
});
