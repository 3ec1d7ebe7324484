import { cursorOf, nextQuery } from './next-link.js';

const ASKED = 'https://carbon.example/v1/offsets?limit=5';
const next = (link: string | null) => nextQuery(link, ASKED);

describe('the link to the next page', () => {
  it.each([
    '</v1/offsets?limit=5&cursor=a>; rel="next"',
    '</v1/offsets?limit=5&cursor=a>;rel=next',
    '</v1/offsets?limit=5&cursor=a>; title="a, \\"b\\""; rel="last next"',
    '<https://carbon.example/v1/offsets?limit=5&cursor=a> ; REL = "next"',
    '</v1/offsets?cursor=0>; rel="prev", </v1/offsets?limit=5&cursor=a>; rel="next"',
    '<?limit=5&cursor=a>; rel="next"',
  ])('is read: %s', (link) => {
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
  ])('is not there: %s', (link) => {
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
  ])('is refused when it leads elsewhere: %s', (link) => {
    expect(() => next(`${link}; rel="next"`)).toThrow('leads away');
  });

  it.each(['<', '<>;', '<a>;rel="', '<a>;rel=" ', ';rel=a', '<a>;a="\\', ' \t'])(
    'is looked for in linear time: %j',
    (piece) => {
      const begun = process.cpuUsage();
      expect(next(piece.repeat(50_000 / piece.length))).toBeUndefined();
      expect(process.cpuUsage(begun).user).toBeLessThan(600_000);
    },
  );

  it('is refused when it leads to the same page', () => {
    expect(() => next('</v1/offsets?limit=5>; rel="next"')).toThrow('same page');
  });

  it('holds the cursor', () => {
    expect([cursorOf('?limit=5&cursor=a%2Bb'), cursorOf('?limit=5'), cursorOf(undefined)]).toEqual([
      'a+b',
      undefined,
      undefined,
    ]);
  });
});
