import { singleHeader } from './single-header.js';

describe('singleHeader', () => {
  it('finds a header whatever its case', () => {
    expect(singleHeader({ rawHeaders: ['Host', 'x', 'IDEMPOTENCY-key', 'k'] }, 'Idempotency-Key')).toBe('k');
  });

  it('is not misled by a value that looks like the name', () => {
    expect(singleHeader({ rawHeaders: ['X', 'Idempotency-Key', 'Host', 'k'] }, 'Idempotency-Key')).toBeUndefined();
  });

  it('refuses a header that is sent twice, even with the same value', () => {
    const rawHeaders = ['Idempotency-Key', 'k', 'idempotency-key', 'k'];
    expect(() => singleHeader({ rawHeaders }, 'Idempotency-Key')).toThrow('is sent more than once');
  });
});
