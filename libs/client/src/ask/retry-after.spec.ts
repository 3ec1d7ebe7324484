import { retryAfterOf } from './retry-after.js';

const NOW = Date.parse('2026-03-02T10:15:30.400Z');
const of = (value: string) => retryAfterOf(new Headers({ 'retry-after': value }), NOW);

describe('Retry-After', () => {
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

  it.each(['', '-1', '1.5', '1e9', 'soon', '2026-03-02', 'Mon, 99 Mar 2026', '99999999999'])('%j is none', (value) => {
    expect(of(value)).toBeUndefined();
  });

  it('may be absent', () => {
    expect(retryAfterOf(new Headers())).toBeUndefined();
  });
});
