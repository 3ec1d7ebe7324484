import { ReadingProgress } from './reading-progress.js';

describe('reading a topic to its ends', () => {
  const ends = [
    { partition: 0, begin: 0n, end: 10n },
    { partition: 1, begin: 5n, end: 5n },
    { partition: 2, begin: 3n, end: 4n },
  ];

  it('is done when every partition that holds something is through', () => {
    const progress = new ReadingProgress(ends, 3);
    progress.reached(0, 9n);
    expect(progress.done).toBe(false);
    progress.reached(2, 3n);
    expect(progress.done).toBe(true);
  });

  it('is done at once when nothing is there', () => {
    expect(new ReadingProgress([{ partition: 0, begin: 7n, end: 7n }], 3).done).toBe(true);
  });

  const fetches = (progress: ReadingProgress, broker: number, times: number) => {
    for (let n = 0; n < times; n += 1) progress.fetched(broker);
  };

  it('is done when several fetches in a row bring nothing: the last messages were compacted away', () => {
    const progress = new ReadingProgress(ends, 3);
    fetches(progress, 1, 3);
    progress.reached(0, 4n);
    fetches(progress, 1, 3);
    expect(progress.done).toBe(false);
    fetches(progress, 1, 1);
    expect(progress.done).toBe(true);
  });

  it('waits for the answers of every broker, however often another has none', () => {
    const progress = new ReadingProgress(ends, 3);
    progress.asked(1);
    progress.asked(2);
    fetches(progress, 2, 50);
    expect(progress.done).toBe(false);
    fetches(progress, 1, 4);
    expect(progress.done).toBe(true);
  });

  it('begins to count anew for all when one brings something', () => {
    const progress = new ReadingProgress(ends, 3);
    fetches(progress, 1, 4);
    progress.asked(2);
    progress.moved();
    fetches(progress, 2, 4);
    expect(progress.done).toBe(false);
  });

  it('does not wait for ever for a broker that is asked no more', () => {
    const progress = new ReadingProgress(ends, 3);
    progress.asked(1);
    fetches(progress, 2, 61);
    expect(progress.done).toBe(true);
  });
});
