import { UserFault } from '../fault.js';
import { accountOf } from './account-of.js';

function codesOf(...rawHeaders: string[]): string[] {
  try {
    accountOf({ rawHeaders });
  } catch (error) {
    if (error instanceof UserFault) return error.items.map(({ field, code }) => `${field} ${code}`);
    throw error;
  }
  throw new Error('it was taken');
}

describe('accountOf', () => {
  it('reads the account, however the header is written', () => {
    expect(accountOf({ rawHeaders: ['Host', 'x', 'X-Account', 'acme-1'] })).toBe('acme-1');
  });

  it.each([[[]], [['X-Account', '']], [['X-Account', 'Acme']], [['X-Account', 'a, b']]])(
    'refuses %j: nobody is taken for somebody else',
    (rawHeaders) => expect(codesOf(...rawHeaders)).toEqual(['x-account invalid_header']),
  );

  it('refuses two accounts', () => {
    expect(codesOf('X-Account', 'a', 'x-account', 'b')).toEqual(['x-account duplicate_header']);
  });
});
