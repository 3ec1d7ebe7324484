import { numbered } from './load.js';

describe('the number of a request', () => {
  it('stands as six digits wherever the request has room for it', () => {
    const request = { method: 'POST', path: '/a?n={n}', body: '{"gte":3.05{n},"lt":4.05{n}}' } as const;
    expect(numbered(request, 42)).toEqual({
      method: 'POST',
      path: '/a?n=000042',
      body: '{"gte":3.05000042,"lt":4.05000042}',
    });
  });

  it('begins anew after a million', () => {
    expect(numbered({ method: 'GET', path: '{n}' }, 1_000_007).path).toBe('000007');
  });
});
