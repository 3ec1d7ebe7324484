import type { KafkaHandle } from '../kafka/create-kafka.js';
import { withAdmin } from './with-admin.js';

/** How many members a consumer group has; by plain name. */
export async function membersOf(kafka: KafkaHandle, group: string): Promise<number> {
  const { groups } = await withAdmin(kafka, (admin) => admin.describeGroups([kafka.names.group(group)]));
  return groups.reduce((sum, { members }) => sum + members.length, 0);
}

/**
 * Removes a group and its positions. It does not matter when that fails: the group has other members, of which the last
 * will remove it, or Kafka is away, and forgets the positions by itself after a week.
 */
export async function forgetGroup(kafka: KafkaHandle, group: string): Promise<void> {
  await withAdmin(kafka, (admin) => admin.deleteGroups([kafka.names.group(group)])).catch(() => {});
}
