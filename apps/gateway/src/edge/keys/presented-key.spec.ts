import { presentedKey } from './presented-key.js';

const shown = (...rawHeaders: string[]) => presentedKey({ rawHeaders: ['Host', 'x', ...rawHeaders, 'Accept', '*/*'] });

describe('the key that a request shows', () => {
  it.each([
    [['Authorization', 'Bearer k-1']],
    [['authorization', 'bearer  k-1']],
    [['X-API-Key', 'k-1']],
    [['x-api-key', ' k-1 ']],
    [['X-API-KEY', 'k-1', 'AUTHORIZATION', 'BEARER k-1']],
  ])('is read from %j', (headers) => {
    expect(shown(...headers)).toBe('k-1');
  });

  it.each([
    [[]],
    [['X-Api-Keys', 'k-1', 'Proxy-Authorization', 'Bearer k-1', 'Cookie', 'key=k-1']],
    [['Authorization', 'Bearer k-1', 'X-API-Key', 'k-2']],
    [['Authorization', 'Basic azox', 'X-API-Key', 'k-1']],
    [['Authorization', 'Bearer k-1', 'X-API-Key', '']],
    [['Authorization', 'Bearer k-1', 'authorization', 'Bearer k-1']],
    [['X-API-Key', 'k-1', 'x-api-key', 'k-1']],
  ])('is none for %j', (headers) => {
    expect(shown(...headers)).toBeUndefined();
  });

  it.each(['k-1', 'Basic k-1', 'Bearer', 'Bearer k-1 k-2', 'Bearer k-1,k-2', 'Bearerk-1'])(
    'is no key for "Authorization: %s"',
    (value) => expect(shown('Authorization', value)).toBe(''),
  );
});
