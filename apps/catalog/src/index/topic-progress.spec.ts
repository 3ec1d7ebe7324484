import {
  consumerLag,
  hasReached,
  reasonTopicChanged,
  storedSnapshot,
  withinEnds,
  withTopicId,
} from './topic-progress.js';

const ends = (...pairs: [number, number][]) =>
  pairs.map(([begin, end], partition) => ({ partition, begin: BigInt(begin), end: BigInt(end) }));
const at = (...positions: (number | undefined)[]) =>
  positions.map((position, partition) => ({
    partition,
    position: position === undefined ? undefined : BigInt(position),
  }));

describe('the progress of a consumer group', () => {
  it.each([
    [
      'has no lag on a partition that is empty or has lost all its messages',
      ends([0, 0], [7, 7]),
      at(undefined, undefined),
      0n,
    ],
    ['has the whole partition as its lag before anything is consumed', ends([0, 5], [2, 4]), [], 7n],
    ['has no lag at the ends or beyond them', ends([0, 5], [0, 3]), at(5, 9), 0n],
    ['has the sum of the lags of the partitions', ends([0, 5], [0, 3]), at(4, 1), 3n],
  ])('%s', (_, topic, committed, left) => {
    expect(consumerLag(topic, committed)).toBe(left);
  });

  it('has reached that of another generation when it has on every partition', () => {
    expect(hasReached(at(5, 2), at(5, undefined))).toBe(true);
    expect(hasReached(at(5, 2), at(4, 3))).toBe(false);
    expect(hasReached([], at(undefined))).toBe(true);
    expect(hasReached([], at(1))).toBe(false);
  });

  it('is limited to the ends of the topic, and to zero on a deleted partition', () => {
    expect(withinEnds(at(4, 5, 9, undefined), ends([0, 5], [0, 5], [2, 5], [0, 5]))).toEqual(at(4, 5, 5, undefined));
    expect(withinEnds(at(0, 7), ends([0, 5]))).toEqual(at(0, 0));
  });
});

describe('the topic of a generation', () => {
  const topic = (cluster: string, ...pairs: number[]) => {
    return { cluster, topicId: 'first', ends: ends(...pairs.map((end): [number, number] => [0, end])) };
  };
  const stored = storedSnapshot(topic('one', 5, 7));
  const now = topic('one', 9, 7);
  const recreated = { ...topic('one', 50, 70), topicId: 'second' };
  const { topicId: _, ...old } = stored;

  it.each([
    ['it only grows', reasonTopicChanged(now, stored, at(9, undefined), topic('one', 8, 7))],
    ['nothing was recorded about it', reasonTopicChanged(now, undefined, [], undefined)],
    ['its ID was not recorded', reasonTopicChanged(now, old, at(9), now)],
  ])('is the same when %s', (_, reason) => {
    expect(reason).toBeUndefined();
  });

  it.each([
    [
      'the cluster ID differs',
      'the cluster ID of Kafka differs',
      reasonTopicChanged(topic('two', 9, 7), stored, [], undefined),
    ],
    [
      'it ends before its recorded end',
      'when the generation was started',
      reasonTopicChanged(topic('one', 9, 6), stored, [], undefined),
    ],
    ['the group is beyond its end', 'beyond the end', reasonTopicChanged(now, stored, at(9, 8), undefined)],
    ['it ends earlier than before', 'ended earlier', reasonTopicChanged(now, stored, [], topic('one', 10, 7))],
    [
      'it has fewer partitions',
      'when the generation was started',
      reasonTopicChanged(topic('one', 9), stored, [], undefined),
    ],
    ['its ID is not the recorded one', 're-created', reasonTopicChanged(recreated, stored, [], undefined)],
    ['its ID differs from the one seen before', 're-created', reasonTopicChanged(recreated, undefined, [], now)],
  ])('has changed when %s', (_, reason, found) => {
    expect(found).toContain(reason);
  });

  it('stores the ID of the topic if it has none', () => {
    expect(withTopicId(old, now)).toEqual(stored);
    expect(withTopicId(undefined, now)).toEqual(storedSnapshot(now));
    expect(withTopicId(stored, now)).toBeUndefined();
  });
});
