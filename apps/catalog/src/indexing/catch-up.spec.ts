import { hasPassed, messagesLeft, withinEnds } from './catch-up.js';

const ends = (...pairs: [number, number][]) =>
  pairs.map(([begin, end], partition) => ({ partition, begin: BigInt(begin), end: BigInt(end) }));
const at = (...positions: (number | undefined)[]) =>
  positions.map((position, partition) => ({
    partition,
    position: position === undefined ? undefined : BigInt(position),
  }));

describe('messagesLeft', () => {
  it('counts a partition that is empty, or holds nothing any more, as taken', () => {
    expect(messagesLeft(ends([0, 0], [7, 7]), at(undefined, undefined))).toBe(0n);
  });

  it('counts everything of a partition of which nothing was taken', () => {
    expect(messagesLeft(ends([0, 5], [2, 4]), [])).toBe(7n);
  });

  it('has none left when the positions have reached the ends, or passed them', () => {
    expect(messagesLeft(ends([0, 5], [0, 3]), at(5, 9))).toBe(0n);
  });

  it('adds up what is left', () => {
    expect(messagesLeft(ends([0, 5], [0, 3]), at(4, 1))).toBe(3n);
  });
});

describe('hasPassed', () => {
  it('is so when one has come as far as the other on every partition', () => {
    expect(hasPassed(at(5, 2), at(5, undefined))).toBe(true);
    expect(hasPassed(at(5, 2), at(4, 3))).toBe(false);
    expect(hasPassed([], at(undefined))).toBe(true);
    expect(hasPassed([], at(1))).toBe(false);
  });
});

describe('withinEnds', () => {
  it('leaves positions that the topic still has, and puts those beyond its end at the end', () => {
    expect(withinEnds(at(4, 5, 9, undefined), ends([0, 5], [0, 5], [2, 5], [0, 5]))).toEqual(at(4, 5, 5, undefined));
  });

  it('puts those of a partition that is gone at zero, which anybody has passed', () => {
    expect(withinEnds(at(0, 7), ends([0, 5]))).toEqual(at(0, 0));
    expect(hasPassed([], withinEnds(at(undefined, 7), ends([0, 5])))).toBe(true);
  });
});
