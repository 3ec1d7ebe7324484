import type { Admin } from 'kafkajs';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import { withAdmin } from './admin.js';
import { type TopicIdentity, topicIdentity } from './topic-id.js';

/** The range of positions in one partition. */
export interface PartitionEnds {
  readonly partition: number;
  /** The lowest position that may still exist. */
  readonly begin: bigint;
  /** The position of the next message; equal to `begin` when there is nothing to read. */
  readonly end: bigint;
}

/** A group's position in one partition. */
export interface CommittedPosition {
  readonly partition: number;
  /** The position the group reads next; undefined when it never committed one. */
  readonly position: bigint | undefined;
}

/** A topic, its ends, and the positions that groups have committed on it. */
export interface TopicProgress {
  /** Kafka's cluster ID; another one after the storage was wiped. */
  readonly cluster: TopicIdentity['clusterId'];
  /** Kafka's topic ID; another one after the topic was created again. */
  readonly topicId: TopicIdentity['topicId'];
  /** Read last, so that no position is beyond them unless the topic was created again. */
  readonly ends: readonly PartitionEnds[];
  /** By group, read one after the other. */
  readonly committed: ReadonlyMap<string, readonly CommittedPosition[]>;
}

/** How far a group is behind on a topic. */
export interface GroupLag {
  readonly messages: number;
  /** A lower bound of the age of the oldest message that is not done; the age is less than twice this, unless this is 0 or 14 days. */
  readonly oldestAgeSeconds: number;
}

/** Messages are kept for 14 days; compacted topics may hold older ones, which count the same. */
const MAX_AGE_SECONDS = 14 * 86_400;

/** Returns the current ends of every partition of a topic, by partition. */
export function topicEnds(kafka: KafkaHandle, topic: string): Promise<PartitionEnds[]> {
  return withAdmin(kafka, (admin) => readEnds(admin, kafka, topic));
}

/** Returns whether a topic with these ends has never had a message: positions start at 0. */
export function hasNeverHadMessages(ends: readonly Pick<PartitionEnds, 'end'>[]): boolean {
  return ends.every(({ end }) => end === 0n);
}

/** Returns the ends like `topicEnds`, but begins with the first message that Kafka appended at this time or later. */
export function topicEndsSince(kafka: KafkaHandle, topic: string, since: Date): Promise<PartitionEnds[]> {
  return withAdmin(kafka, async (admin) => {
    const begins = await positionsAt(admin, kafka, topic, since.getTime());
    const ends = await readEnds(admin, kafka, topic);
    return ends.map((one) => ({ ...one, begin: begins.get(one.partition) ?? one.end }));
  });
}

/** Returns a group's positions on a topic, by partition. Group and topic by plain name. */
export function committedPositions(kafka: KafkaHandle, group: string, topic: string): Promise<CommittedPosition[]> {
  return withAdmin(kafka, (admin) => readCommitted(admin, kafka, group, topic));
}

/** Reads a topic's identity, the positions of groups on it, and its ends. Groups and topic by plain name. */
export async function topicProgress(
  kafka: KafkaHandle,
  topic: string,
  groups: readonly string[],
): Promise<TopicProgress> {
  const { clusterId, topicId } = await topicIdentity(kafka, topic);
  return withAdmin(kafka, async (admin) => {
    const committed = new Map<string, readonly CommittedPosition[]>();
    for (const group of groups) committed.set(group, await readCommitted(admin, kafka, group, topic));
    return { cluster: clusterId, topicId, committed, ends: await readEnds(admin, kafka, topic) };
  });
}

/**
 * Returns how far a group is behind on a topic; both by plain name. A partition without a position counts from its beginning.
 * The age costs one request for each doubling of it, and none when nothing is left.
 */
export function groupLag(kafka: KafkaHandle, group: string, topic: string, now = Date.now): Promise<GroupLag> {
  return withAdmin(kafka, async (admin) => {
    const committed = await readCommitted(admin, kafka, group, topic);
    const positions = new Map(committed.map(({ partition, position }) => [partition, position]));
    const parts = (await readEnds(admin, kafka, topic)).map(({ partition, begin, end }) => {
      const position = positions.get(partition);
      return { partition, from: position !== undefined && position > begin ? position : begin, end };
    });
    const behind = parts.filter(({ from, end }) => from < end);
    const messages = Number(behind.reduce((sum, { from, end }) => sum + (end - from), 0n));
    const isOlder = async (ageSeconds: number) => {
      const first = await positionsAt(admin, kafka, topic, now() - ageSeconds * 1_000);
      return behind.some(({ partition, from }) => (first.get(partition) ?? from) > from);
    };
    return { messages, oldestAgeSeconds: behind.length === 0 ? 0 : await oldestAge(isOlder) };
  });
}

async function oldestAge(isOlder: (ageSeconds: number) => Promise<boolean>): Promise<number> {
  let known = 0;
  for (let age = 1; age <= MAX_AGE_SECONDS && (await isOlder(age)); age *= 2) known = age;
  return known;
}

/** Returns, by partition, the position of the first message appended at this time or later. */
async function positionsAt(admin: Admin, kafka: KafkaHandle, topic: string, timeMs: number) {
  const found = await admin.fetchTopicOffsetsByTimestamp(kafka.names.topic(topic), timeMs);
  return new Map(found.map(({ partition, offset }) => [partition, BigInt(offset)]));
}

async function readEnds(admin: Admin, kafka: KafkaHandle, topic: string): Promise<PartitionEnds[]> {
  const offsets = await admin.fetchTopicOffsets(kafka.names.topic(topic));
  return offsets
    .map(({ partition, low, high }) => ({ partition, begin: BigInt(low), end: BigInt(high) }))
    .sort((one, other) => one.partition - other.partition);
}

/** Reads a group's positions over an open connection. */
export async function readCommitted(
  admin: Admin,
  kafka: KafkaHandle,
  group: string,
  topic: string,
): Promise<CommittedPosition[]> {
  const answers = await admin.fetchOffsets({ groupId: kafka.names.group(group), topics: [kafka.names.topic(topic)] });
  return answers
    .flatMap(({ partitions }) => partitions)
    .map(({ partition, offset }) => ({ partition, position: BigInt(offset) < 0n ? undefined : BigInt(offset) }))
    .sort((one, other) => one.partition - other.partition);
}
