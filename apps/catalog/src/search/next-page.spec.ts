import { linkToNext, refuseTooLong } from './next-page.js';

const asked = (criteria: string) => ({
  scope: { route: '/v1/assets/pools', account: 'default', parameters: {} },
  parameters: { criteria, fullTextSearch: '' },
});
const OTHERS = '/v1/assets/pools?criteria=&fullTextSearch='.length;
const LONGEST = 12 * 1024 - OTHERS;

describe('the way to the next page', () => {
  it('has room behind the longest question, and none longer is taken', () => {
    refuseTooLong(asked('a'.repeat(LONGEST)));
    expect(() => refuseTooLong(asked('a'.repeat(LONGEST + 1)))).toThrow(
      expect.objectContaining({ code: 'uri_too_long', detail: expect.stringContaining('Shorten the criteria') }),
    );
  });

  it('counts characters as they are encoded', () => {
    expect(() => refuseTooLong(asked('ж'.repeat(LONGEST / 6 + 1)))).toThrow(
      expect.objectContaining({ code: 'uri_too_long' }),
    );
    refuseTooLong(asked('ж'.repeat(LONGEST / 6)));
    refuseTooLong(asked('a b: '.repeat(LONGEST / 5)));
  });

  it('is refused, rather than shown too long to be gone', () => {
    const room = 15 * 1024 - OTHERS - '&cursor='.length;
    expect(linkToNext(asked(''), 'x'.repeat(room))).toMatch(/^<\/v1\/assets\/pools\?.*x>; rel="next"$/);
    expect(() => linkToNext(asked(''), 'x'.repeat(room + 1))).toThrow(
      expect.objectContaining({ code: 'uri_too_long' }),
    );
  });
});
