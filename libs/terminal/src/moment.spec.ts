import { momentOf } from './moment.js';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const at = (text: string) => momentOf(text, NOW)?.toISOString();

describe('a moment on a command line', () => {
  it.each([
    ['2026-11-21T07:30:00+02:00', '2026-11-21T05:30:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['90m', '2026-11-21T06:30:00.000Z'],
    ['2d', '2026-11-19T08:00:00.000Z'],
    ['999999999d', '1970-01-01T00:00:00.000Z'],
  ])('is a time with its zone, or how long ago: %s', (text, moment) => {
    expect(at(text)).toBe(moment);
  });

  it.each(['', 'now', '2026-11-21T08:00', '2026-13-01', '5w', '-5m', '1.5h'])('is not: %j', (text) => {
    expect(at(text)).toBeUndefined();
  });
});
