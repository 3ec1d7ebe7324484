import { countLost, hasCaughtUp, judgeStarts, type PartitionProgress, rebuildVerdict } from './positions.js';

describe('the consumption of the asset topic', () => {
  it.each([
    ['nothing was read yet', { end: 9n, stored: undefined, committed: undefined }, 'resume'],
    ['tables and group agree', { end: 9n, stored: 5n, committed: 5n }, 'resume'],
    ['the process died before it committed its position', { end: 9n, stored: 7n, committed: 5n }, 'resume'],
    ['the positions of the group were reset', { end: 9n, stored: 7n, committed: 0n }, 'resume'],
    ['a partition is empty', { end: 0n, stored: undefined, committed: 0n }, 'resume'],
    ['the database was restored', { end: 9n, stored: 3n, committed: 5n }, 'rebuild'],
    ['the database was restored to before the first message', { end: 9n, stored: undefined, committed: 5n }, 'rebuild'],
    ['the group has expired', { end: 9n, stored: 5n, committed: undefined }, 'rebuild'],
    ['the topic was re-created', { end: 2n, stored: 5n, committed: undefined }, 'topicRecreated'],
  ])('is judged when %s', (_, partition, verdict) => {
    expect(rebuildVerdict([partition], true)).toBe(verdict);
    expect(rebuildVerdict([{ end: 1n, stored: 1n, committed: 1n }, partition], true)).toBe(verdict);
  });

  it('starts again if the topic ID differs, wherever that topic ends', () => {
    expect(rebuildVerdict([{ end: 9n, stored: 5n, committed: 5n }], false)).toBe('topicRecreated');
  });

  const ends = [
    { partition: 0, begin: 0n, end: 4n },
    { partition: 1, begin: 7n, end: 7n },
  ];

  it('has caught up when every partition with messages is read to its end', () => {
    expect(hasCaughtUp(ends, new Map())).toBe(false);
    expect(hasCaughtUp(ends, new Map([[0, 3n]]))).toBe(false);
    expect(hasCaughtUp(ends, new Map([[0, 4n]]))).toBe(true);
    expect(hasCaughtUp(ends, new Map([[0, 9n]]))).toBe(true);
  });

  it('has caught up at once on an empty topic', () => {
    expect(hasCaughtUp([{ partition: 0, begin: 0n, end: 0n }], new Map())).toBe(true);
  });
});

const partition = (more: Partial<PartitionProgress>): PartitionProgress => ({
  ...{ partition: 0, begin: 2n, end: 9n, stored: 5n, committed: 5n },
  ...more,
});

describe('the start positions of requests', () => {
  it.each<[string, Partial<PartitionProgress>, bigint]>([
    ['what is stored and committed', {}, 5n],
    ['what is stored when more is committed: the database was restored', { committed: 8n }, 5n],
    ['what is committed when more is stored: the process died in between', { committed: 3n }, 3n],
    ['what is stored when nothing is committed', { committed: undefined }, 5n],
    ['the begin when nothing is stored', { stored: undefined }, 2n],
    ['the begin when what is committed is gone', { committed: 1n }, 2n],
    ['the end when all is consumed', { stored: 9n, committed: 9n }, 9n],
  ])('are %s', (_, more, start) => {
    expect(judgeStarts([partition(more)])).toEqual({ starts: new Map([[0, start]]), lost: [], truncated: [] });
  });

  it('are the beginning if the log ends before the stored position, which is reported', () => {
    const one = partition({ end: 4n });
    expect(judgeStarts([partition({ partition: 1 }), one])).toMatchObject({ lost: [], truncated: [0] });
    expect(judgeStarts([one]).starts.get(0)).toBe(2n);
  });

  it('are refused if Kafka has deleted messages that the database may lack, with their number', () => {
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
