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

  it('is done when several fetches in a row bring nothing: the last messages were compacted away', () => {
    const progress = new ReadingProgress(ends, 3);
    for (let n = 0; n < 3; n += 1) progress.fetched();
    progress.reached(0, 4n);
    for (let n = 0; n < 3; n += 1) progress.fetched();
    expect(progress.done).toBe(false);
    progress.fetched();
    expect(progress.done).toBe(true);
  });
});
