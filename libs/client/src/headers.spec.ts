import { cursorOf, nextQuery } from './listing.js';
import { retryAfterOf } from './response.js';
import { retryDelay } from './transport.js';

describe('Retry-After', () => {
  const NOW = Date.parse('2026-03-02T10:15:30.400Z');
  const of = (value: string) => retryAfterOf(new Headers({ 'retry-after': value }), NOW);

  it.each([
    ['0', 0],
    ['120', 120],
    [' 7 ', 7],
    ['Mon, 02 Mar 2026 10:15:40 GMT', 10],
    ['Monday, 02-Mar-26 10:15:31 GMT', 1],
    ['Mon, 02 Mar 2026 10:15:20 GMT', 0],
  ])('%s is %i seconds', (value, seconds) => {
    expect(of(value)).toBe(seconds);
  });

  it('is undefined when it is absent or invalid', () => {
    const others = ['', '-1', '1.5', '1e9', 'soon', '2026-03-02', 'Mon, 99 Mar 2026', '99999999999'];
    expect(others.filter((value) => of(value) !== undefined)).toEqual([]);
    expect(retryAfterOf(new Headers())).toBeUndefined();
  });
});

describe('the delay before the next try', () => {
  it('doubles up to five seconds, with a jitter of up to half', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7, 1_000].map((tries) => retryDelay(tries, undefined, 0));
    expect(longest).toEqual([200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]);
    expect([0, 0.5, 1].map((random) => retryDelay(3, undefined, random))).toEqual([800, 600, 400]);
  });

  it('is never shorter than Retry-After', () => {
    expect([0, 0.5, 1].map((random) => retryDelay(1, 3, random))).toEqual([3_000, 3_050, 3_100]);
    expect(retryDelay(1, 0, 0)).toBe(0);
  });
});

describe('the link to the next page', () => {
  const next = (link: string | null) => nextQuery(link, 'https://carbon.example/v1/offsets?limit=5');

  it.each([
    '</v1/offsets?limit=5&cursor=a>; rel="next"',
    '</v1/offsets?limit=5&cursor=a>;rel=next',
    '</v1/offsets?limit=5&cursor=a>; title="a, \\"b\\""; rel="last next"',
    '<https://carbon.example/v1/offsets?limit=5&cursor=a> ; REL = "next"',
    '</v1/offsets?cursor=0>; rel="prev", </v1/offsets?limit=5&cursor=a>; rel="next"',
    '<?limit=5&cursor=a>; rel="next"',
  ])('is found: %s', (link) => {
    expect(next(link)).toBe('?limit=5&cursor=a');
  });

  it.each([
    null,
    '',
    'nonsense',
    '</v1/offsets?cursor=a>',
    '</v1/offsets?cursor=a>; rel="prev"',
    '</v1/offsets?cursor=a>; rel="nextish"',
    '</v1/offsets?cursor=a>; title="rel=next"',
    '</v1/offsets?cursor=a>; title="x; rel=next"',
    '</v1/offsets?cursor=a>; rel="prev"; rel="next"',
  ])('is absent: %s', (link) => {
    expect(next(link)).toBeUndefined();
  });

  it.each([
    '<https://evil.example/v1/offsets?cursor=a>',
    '<http://carbon.example/v1/offsets?cursor=a>',
    '<https://carbon.example:8443/v1/offsets?cursor=a>',
    '<//evil.example/v1/offsets?cursor=a>',
    '</v1/estimates?cursor=a>',
    '</v1/offsets/../estimates?cursor=a>',
    '<javascript:alert(1)>',
    '<https://[>',
  ])('is rejected when it leads elsewhere: %s', (link) => {
    expect(() => next(`${link}; rel="next"`)).toThrow('leads to another path or service');
  });

  it('is rejected when it leads to the same page', () => {
    expect(() => next('</v1/offsets?limit=5>; rel="next"')).toThrow('same page');
  });

  it.each(['<', '<>;', '<a>;rel="', '<a>;rel=" ', ';rel=a', '<a>;a="\\', ' \t'])(
    'is found in linear time: %j',
    (piece) => {
      const begun = process.cpuUsage();
      expect(next(piece.repeat(50_000 / piece.length))).toBeUndefined();
      // Linear time takes about a millisecond, quadratic time minutes.
      expect(process.cpuUsage(begun).user).toBeLessThan(5_000_000);
    },
  );

  it('contains the cursor', () => {
    expect(['?limit=5&cursor=a%2Bb', '?limit=5', undefined].map(cursorOf)).toEqual(['a+b', undefined, undefined]);
  });
});
