import { countLost, judgeStarts, type RequestPartition } from './request-start.js';

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
