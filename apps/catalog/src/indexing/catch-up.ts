import type { CommittedPosition, PartitionEnds } from '@carbon/messaging';

/** How many messages of the topic, as it was, the group has yet to take; an empty partition counts as taken. */
export function messagesLeft(ends: readonly PartitionEnds[], committed: readonly CommittedPosition[]): bigint {
  const positions = new Map(committed.map(({ partition, position }) => [partition, position]));
  return ends.reduce((left, { partition, begin, end }) => {
    const position = positions.get(partition) ?? begin;
    return position < end ? left + end - position : left;
  }, 0n);
}

/** The positions as far as the topic still goes: it may have lost its tail since they were reached. */
export function withinEnds(
  committed: readonly CommittedPosition[],
  ends: readonly PartitionEnds[],
): CommittedPosition[] {
  const last = new Map(ends.map(({ partition, end }) => [partition, end]));
  return committed.map(({ partition, position }) => {
    const end = last.get(partition) ?? 0n;
    return { partition, position: position !== undefined && position > end ? end : position };
  });
}

/** Whether one group has come as far as another on every partition. */
export function hasPassed(one: readonly CommittedPosition[], other: readonly CommittedPosition[]): boolean {
  const positions = new Map(one.map(({ partition, position }) => [partition, position]));
  return other.every(({ partition, position = 0n }) => (positions.get(partition) ?? 0n) >= position);
}
