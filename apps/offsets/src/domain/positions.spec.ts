import { hasCaughtUp, judgeReading } from './reading.js';
import { countLost, judgeStarts, type RequestPartition } from './request-start.js';

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

const partition = (more: Partial<RequestPartition>): RequestPartition => ({
  ...{ partition: 0, begin: 2n, end: 9n, stored: 5n, committed: 5n },
  ...more,
});

describe('where requests are consumed from', () => {
  it.each<[string, Partial<RequestPartition>, bigint]>([
    ['what is stored and committed', {}, 5n],
    ['what is stored when more is committed: the database was put back', { committed: 8n }, 5n],
    ['what is committed when more is stored: the process died in between', { committed: 3n }, 3n],
    ['what is stored when nothing is committed', { committed: undefined }, 5n],
    ['the begin when nothing is stored', { stored: undefined }, 2n],
    ['the begin when what is committed is gone', { committed: 1n }, 2n],
    ['the end when all is consumed', { stored: 9n, committed: 9n }, 9n],
  ])('is %s', (_, more, start) => {
    expect(judgeStarts([partition(more)])).toEqual({ starts: new Map([[0, start]]), lost: [], truncated: [] });
  });

  it('is the begin where the log ends before what is stored, and that is said', () => {
    const one = partition({ end: 4n });
    expect(judgeStarts([partition({ partition: 1 }), one])).toMatchObject({ lost: [], truncated: [0] });
    expect(judgeStarts([one]).starts.get(0)).toBe(2n);
  });

  it('is refused where Kafka has deleted what the database may lack, with the number of messages', () => {
    const { lost } = judgeStarts([
      partition({ stored: 0n }),
      partition({ partition: 1 }),
      partition({ partition: 2, stored: 1n }),
    ]);
    expect(lost).toEqual([
      { partition: 0, from: 0n, before: 2n },
      { partition: 2, from: 1n, before: 2n },
    ]);
    expect(countLost(lost)).toBe(3n);
  });
});
