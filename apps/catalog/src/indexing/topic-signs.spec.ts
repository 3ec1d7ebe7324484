import { completedMark, isUntouched, signOfAnotherTopic, topicMark } from './topic-signs.js';

const topic = (cluster: string, ...ends: number[]) => ({
  cluster,
  topicId: 'first',
  ends: ends.map((end, partition) => ({ partition, begin: 0n, end: BigInt(end) })),
});
const at = (...positions: (number | undefined)[]) =>
  positions.map((position, partition) => ({
    partition,
    position: position === undefined ? undefined : BigInt(position),
  }));

describe('the topic of a generation', () => {
  const mark = topicMark(topic('one', 5, 7));
  const now = topic('one', 9, 7);

  it('is the same while it only grows', () => {
    expect(signOfAnotherTopic(now, mark, at(9, undefined), topic('one', 8, 7))).toBeUndefined();
    expect(signOfAnotherTopic(now, undefined, [], undefined)).toBeUndefined();
  });

  it.each([
    ['Kafka is another one', signOfAnotherTopic(topic('two', 9, 7), mark, [], undefined), 'another one'],
    ['it is shorter than it was', signOfAnotherTopic(topic('one', 9, 6), mark, [], undefined), 'when it was begun'],
    ['the group is beyond its end', signOfAnotherTopic(now, mark, at(9, 8), undefined), 'beyond the end'],
    ['it has become shorter', signOfAnotherTopic(now, mark, [], topic('one', 10, 7)), 'has become shorter'],
    ['it has fewer partitions', signOfAnotherTopic(topic('one', 9), mark, [], undefined), 'when it was begun'],
  ])('is another one when %s', (_, sign, expected) => {
    expect(sign).toContain(expected);
  });

  it('is another one when its id is, wherever it ends', () => {
    const anew = { ...topic('one', 50, 70), topicId: 'second' };
    expect(signOfAnotherTopic(anew, mark, [], undefined)).toContain('created anew');
    expect(signOfAnotherTopic(anew, undefined, [], now)).toContain('created anew');
  });

  it('is not judged by an id that a generation does not know, which is filled in', () => {
    const { topicId: _, ...old } = mark;
    expect(signOfAnotherTopic(now, old, at(9), now)).toBeUndefined();
    expect(completedMark(old, now)).toEqual(mark);
    expect(completedMark(undefined, now)).toEqual(topicMark(now));
    expect(completedMark(mark, now)).toBeUndefined();
  });

  it('is untouched until something was published', () => {
    expect(isUntouched(topic('one', 0, 0))).toBe(true);
    expect(isUntouched(topic('one', 0, 1))).toBe(false);
  });
});
