import { hasCaughtUp, judgeReading } from './reading.js';

describe('a reading of the asset topic', () => {
  it.each([
    ['nothing was ever read', { end: 9n, stored: undefined, committed: undefined }, 'continue'],
    ['tables and group agree', { end: 9n, stored: 5n, committed: 5n }, 'continue'],
    ['the process died before it told Kafka', { end: 9n, stored: 7n, committed: 5n }, 'continue'],
    ['the group was set back to the beginning', { end: 9n, stored: 7n, committed: 0n }, 'continue'],
    ['an empty partition was looked at', { end: 0n, stored: undefined, committed: 0n }, 'continue'],
    ['the database was put back', { end: 9n, stored: 3n, committed: 5n }, 'again'],
    ['the database was put back to before the first message', { end: 9n, stored: undefined, committed: 5n }, 'again'],
    ['the group was forgotten', { end: 9n, stored: 5n, committed: undefined }, 'again'],
    ['the topic was made anew', { end: 2n, stored: 5n, committed: undefined }, 'another topic'],
  ])('when %s', (_, partition, verdict) => {
    expect(judgeReading([partition], true)).toBe(verdict);
    expect(judgeReading([{ end: 1n, stored: 1n, committed: 1n }, partition], true)).toBe(verdict);
  });

  it('is of another topic when Kafka says so, wherever that one ends', () => {
    expect(judgeReading([{ end: 9n, stored: 5n, committed: 5n }], false)).toBe('another topic');
  });

  const ends = new Map([
    [0, { begin: 0n, end: 4n }],
    [1, { begin: 7n, end: 7n }],
  ]);

  it('has caught up when every partition that holds anything is read to its end', () => {
    expect(hasCaughtUp(ends, new Map())).toBe(false);
    expect(hasCaughtUp(ends, new Map([[0, 3n]]))).toBe(false);
    expect(hasCaughtUp(ends, new Map([[0, 4n]]))).toBe(true);
    expect(hasCaughtUp(ends, new Map([[0, 9n]]))).toBe(true);
  });

  it('has caught up at once on an empty topic', () => {
    expect(hasCaughtUp(new Map([[0, { begin: 0n, end: 0n }]]), new Map())).toBe(true);
  });
});
