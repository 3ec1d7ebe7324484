import { WaitingLine } from './waiting-line.js';

describe('the waiting line', () => {
  const lineOf = (...sizes: number[]) => {
    const line = new WaitingLine<{ bytes: number }>();
    const entries = sizes.map((bytes) => ({ bytes }));
    for (const entry of entries) line.add(entry);
    return { line, entries };
  };
  const sizesOf = (batch: readonly { bytes: number }[]) => batch.map(({ bytes }) => bytes);

  it('closes a batch at the number of messages', () => {
    const { line } = lineOf(1, 2, 3);
    expect(sizesOf(line.take({ messages: 2, bytes: 100 }))).toEqual([1, 2]);
    expect(sizesOf(line.take({ messages: 2, bytes: 100 }))).toEqual([3]);
    expect(line.length).toBe(0);
  });

  it('closes a batch before it would pass the number of bytes', () => {
    const { line } = lineOf(60, 40, 1);
    expect(sizesOf(line.take({ messages: 10, bytes: 100 }))).toEqual([60, 40]);
  });

  it('sends alone what is larger than a batch', () => {
    const { line } = lineOf(500, 1);
    expect(sizesOf(line.take({ messages: 10, bytes: 100 }))).toEqual([500]);
    expect(sizesOf(line.take({ messages: 10, bytes: 100 }))).toEqual([1]);
  });

  it('lets one step out who still waits, and nobody who is gone', () => {
    const { line, entries } = lineOf(1, 2, 3);
    expect(line.leave(entries[1] ?? { bytes: 0 })).toBe(true);
    expect(sizesOf(line.take({ messages: 10, bytes: 100 }))).toEqual([1, 3]);
    expect(line.leave(entries[0] ?? { bytes: 0 })).toBe(false);
  });
});
