import type { Admin } from 'kafkajs';
import { readCommitted, readEnds } from '../admin/positions.js';
import { withAdmin } from '../admin/with-admin.js';
import type { KafkaHandle } from '../kafka/create-kafka.js';

/** How far a group is behind on a topic. */
export interface GroupLag {
  readonly messages: number;
  /** At least so long the oldest message that is not done has been there; at most twice as long. */
  readonly oldestAgeSeconds: number;
}

/** A partition in which there is something to be done, and where that begins. */
interface Behind {
  readonly partition: number;
  readonly from: bigint;
}

/** Messages are kept for 14 days; compacted topics may hold older ones, which are as bad as these. */
const OLDEST_S = 14 * 86_400;

/**
 * Asks Kafka how far a group is behind on a topic; both by plain name. What has no position yet is counted from the
 * beginning. The age costs one question for each doubling of it, and none when nothing is left.
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
    return { messages, oldestAgeSeconds: await oldestAge(admin, kafka.names.topic(topic), behind, now()) };
  });
}

async function oldestAge(admin: Admin, topic: string, behind: readonly Behind[], now: number): Promise<number> {
  if (behind.length === 0) return 0;
  let known = 0;
  for (let age = 1; age <= OLDEST_S; age *= 2) {
    if (!(await isOlder(admin, topic, behind, now - age * 1_000))) break;
    known = age;
  }
  return known;
}

/** Whether one of the messages that are next was written before a moment: then what was written since lies beyond it. */
async function isOlder(admin: Admin, topic: string, behind: readonly Behind[], moment: number): Promise<boolean> {
  const since = await admin.fetchTopicOffsetsByTimestamp(topic, moment);
  const first = new Map(since.map(({ partition, offset }) => [partition, BigInt(offset)]));
  return behind.some(({ partition, from }) => (first.get(partition) ?? from) > from);
}
