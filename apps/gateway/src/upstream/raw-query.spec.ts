import { UserFault } from '@carbon/faults';
import { rawQuery } from './raw-query.js';

describe('a query that is passed on', () => {
  it.each([
    ['/v1/offsets', ''],
    ['/v1/offsets?', '?'],
    ['/v1/offsets?limit=2&cursor=a%2Bb', '?limit=2&cursor=a%2Bb'],
    ['/v1/offsets?a=1&a=1&&b', '?a=1&a=1&&b'],
    ['/v1/assets/pools?criteria=name:+"a?b"&fullTextSearch=', '?criteria=name:+"a?b"&fullTextSearch='],
  ])('stays as it was sent: %s', (url, query) => {
    expect(rawQuery(url)).toBe(query);
  });

  it.each(['/p?criteria=%zz', '/p?criteria=%', '/p?criteria=%ff', '/p?%C3%28=1', '/p?a=1&b=%ed%a0%80'])(
    'is refused when it cannot be decoded: %s',
    (url) => {
      expect(() => rawQuery(url)).toThrow(UserFault);
    },
  );
});
