import { getEventListeners } from 'node:events';
import { Logger } from '@nestjs/common';
import { completedMark, isUntouched, reasonTopicChanged, topicMark } from './begin-generations.js';
import { hasPassed, messagesLeft, withinEnds } from './feed.js';
import { tryUntilDone } from './try-until-done.js';

const ends = (...pairs: [number, number][]) =>
  pairs.map(([begin, end], partition) => ({ partition, begin: BigInt(begin), end: BigInt(end) }));
const at = (...positions: (number | undefined)[]) =>
  positions.map((position, partition) => ({
    partition,
    position: position === undefined ? undefined : BigInt(position),
  }));

describe('catching up', () => {
  it.each([
    ['counts what is empty, or holds nothing any more, as taken', ends([0, 0], [7, 7]), at(undefined, undefined), 0n],
    ['counts all of a partition of which nothing was taken', ends([0, 5], [2, 4]), [], 7n],
    ['is done at the ends, and beyond them', ends([0, 5], [0, 3]), at(5, 9), 0n],
    ['adds up what is left', ends([0, 5], [0, 3]), at(4, 1), 3n],
  ])('%s', (_, topic, committed, left) => {
    expect(messagesLeft(topic, committed)).toBe(left);
  });

  it('has passed another when it is as far on every partition', () => {
    expect(hasPassed(at(5, 2), at(5, undefined))).toBe(true);
    expect(hasPassed(at(5, 2), at(4, 3))).toBe(false);
    expect(hasPassed([], at(undefined))).toBe(true);
    expect(hasPassed([], at(1))).toBe(false);
  });

  it('goes no further than the topic does: to the end of a partition, to zero of one that is gone', () => {
    expect(withinEnds(at(4, 5, 9, undefined), ends([0, 5], [0, 5], [2, 5], [0, 5]))).toEqual(at(4, 5, 5, undefined));
    expect(withinEnds(at(0, 7), ends([0, 5]))).toEqual(at(0, 0));
  });
});

describe('the topic of a generation', () => {
  const topic = (cluster: string, ...pairs: number[]) => {
    return { cluster, topicId: 'first', ends: ends(...pairs.map((end): [number, number] => [0, end])) };
  };
  const mark = topicMark(topic('one', 5, 7));
  const now = topic('one', 9, 7);
  const anew = { ...topic('one', 50, 70), topicId: 'second' };
  const { topicId: _, ...old } = mark;

  it.each([
    [undefined, 'it only grows', reasonTopicChanged(now, mark, at(9, undefined), topic('one', 8, 7))],
    [undefined, 'nothing is known of it', reasonTopicChanged(now, undefined, [], undefined)],
    [undefined, 'its id was not noted', reasonTopicChanged(now, old, at(9), now)],
    ['another one', 'Kafka is another one', reasonTopicChanged(topic('two', 9, 7), mark, [], undefined)],
    ['when it was begun', 'it is shorter than it was', reasonTopicChanged(topic('one', 9, 6), mark, [], undefined)],
    ['beyond the end', 'the group is beyond its end', reasonTopicChanged(now, mark, at(9, 8), undefined)],
    ['has become shorter', 'it has become shorter', reasonTopicChanged(now, mark, [], topic('one', 10, 7))],
    ['when it was begun', 'it has fewer partitions', reasonTopicChanged(topic('one', 9), mark, [], undefined)],
    ['created anew', 'its id is another than was noted', reasonTopicChanged(anew, mark, [], undefined)],
    ['created anew', 'its id is another than was seen', reasonTopicChanged(anew, undefined, [], now)],
  ])('has the sign %j of another one when %s', (expected, _when, sign) => {
    expect(sign ?? 'none').toContain(expected ?? 'none');
  });

  it('is completed where its id was not noted', () => {
    expect(completedMark(old, now)).toEqual(mark);
    expect(completedMark(undefined, now)).toEqual(topicMark(now));
    expect(completedMark(mark, now)).toBeUndefined();
  });

  it('is untouched until something was published', () => {
    expect([isUntouched(topic('one', 0, 0)), isUntouched(topic('one', 0, 1))]).toEqual([true, false]);
  });
});

describe('tryUntilDone', () => {
  beforeAll(() => Logger.overrideLogger(false));

  it('tries again until it is done, and leaves nothing behind at the signal, which outlives it', async () => {
    const stop = new AbortController();
    let attempts = 0;
    const attempt = async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('not yet');
      expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
      return 'done';
    };
    await expect(tryUntilDone('it', attempt, stop.signal)).resolves.toBe('done');
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
  });

  it('gives up an attempt that hangs when it is told to stop, and begins none after', async () => {
    const stop = new AbortController();
    const hanging = tryUntilDone('it', () => new Promise<never>(() => {}), stop.signal);
    stop.abort();
    await expect(hanging).rejects.toBe(stop.signal.reason);
    const never = async () => {
      throw new Error('it has begun');
    };
    await expect(tryUntilDone('it', never, stop.signal)).rejects.toBe(stop.signal.reason);
  });
});
