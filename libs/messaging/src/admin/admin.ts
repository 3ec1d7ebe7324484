import type { Admin } from 'kafkajs';
import { type Backoff, backoffMs, sleep, withTimeout } from '../backoff.js';
import { CONNECTION, type KafkaHandle } from '../kafka/create-kafka.js';
import { isConnectionClosed, kafkaHint } from '../kafka/log.js';

/** Errors of a broker that does not know a new topic, its leader or a group yet; kafkajs passes most of them on. */
const NOT_YET = [
  'UNKNOWN_TOPIC_OR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
  'GROUP_LOAD_IN_PROGRESS',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP',
];
/** kafkajs' error when no broker knows a group's coordinator: a fresh broker is still creating the topic of positions. */
export const NO_COORDINATOR = 'KafkaJSGroupCoordinatorNotFound';
const ATTEMPTS = 12;
/** Attempts for topics that were just created, some 30 s: a fresh broker on a busy machine is slow. */
export const ATTEMPTS_AFTER_CREATION = 64;
const METADATA_BACKOFF: Backoff = { initialMs: 50, maxMs: 500 };
const CONNECT_BACKOFF: Backoff = { initialMs: 100, maxMs: 1_000 };

/**
 * Lends an admin client for one piece of work, which may run several times because a new topic is not known everywhere at
 * once. A topic that does not exist is an error after about four seconds.
 */
export async function withAdmin<T>(
  kafka: KafkaHandle,
  work: (admin: Admin) => Promise<T>,
  attempts = ATTEMPTS,
): Promise<T> {
  const admin = kafka.client.admin();
  try {
    await admin.connect();
    return await retryUntilKnown(() => work(admin), attempts);
  } finally {
    await admin.disconnect();
  }
}

/** Repeats the work while a broker does not know the topic or the group yet. */
export async function retryUntilKnown<T>(work: () => Promise<T>, attempts = ATTEMPTS): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      if (failures === attempts || !isNotYetKnown(error)) throw error;
      await sleep(backoffMs(failures, METADATA_BACKOFF));
    }
  }
}

function isNotYetKnown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === NO_COORDINATOR || ('type' in error && NOT_YET.some((type) => type === error.type));
}

/** Returns whether Kafka answers now, within the timeout of a request. Opens a connection of its own. */
export function isKafkaReachable(kafka: KafkaHandle): Promise<boolean> {
  return withTimeout(CONNECTION.requestTimeout, describeCluster(kafka)).then(
    () => true,
    () => false,
  );
}

/**
 * Resolves when Kafka answers: a command may be started together with it. Wrong settings that Kafka names fail at once.
 * @param onWait called once when Kafka does not answer the first attempt, with a sentence about it
 * @throws the last error after `timeoutMs` or when the signal is aborted; at once an error for which `kafkaHint` knows the setting,
 * except a closed connection
 */
export async function waitForKafka(
  kafka: KafkaHandle,
  timeoutMs: number,
  onWait: (sentence: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (let failures = 1; ; failures += 1) {
    try {
      return await describeCluster(kafka);
    } catch (error) {
      const hint = kafkaHint(error);
      // A broker that is starting, or a proxy before it, may close connections, too.
      const isWrongSetting = hint !== undefined && !isConnectionClosed(error);
      if (isWrongSetting || performance.now() >= deadline) throw error;
      const waiting = `Kafka does not answer yet; waiting up to ${timeoutMs / 1_000} s for it.`;
      if (failures === 1) onWait(hint === undefined ? waiting : `${waiting} ${hint}`);
      await sleep(backoffMs(failures, CONNECT_BACKOFF), signal);
      if (signal?.aborted) throw error;
    }
  }
}

async function describeCluster({ client }: KafkaHandle): Promise<void> {
  const admin = client.admin({ retry: { retries: 0 } });
  try {
    await admin.connect();
    await admin.describeCluster();
  } finally {
    // Only after the attempt: kafkajs would connect again after an earlier disconnect.
    await admin.disconnect().catch(() => {});
  }
}

/** Returns how many members a consumer group has; by plain name. */
export async function countGroupMembers(kafka: KafkaHandle, group: string): Promise<number> {
  const { groups } = await withAdmin(kafka, (admin) => admin.describeGroups([kafka.names.group(group)]));
  return groups.reduce((sum, { members }) => sum + members.length, 0);
}

/**
 * Deletes a group and its positions. Ignores failure: the group has other members, the last of which deletes it, or Kafka is
 * unreachable and drops the positions after a week.
 */
export async function deleteGroup(kafka: KafkaHandle, group: string): Promise<void> {
  await withAdmin(kafka, (admin) => admin.deleteGroups([kafka.names.group(group)])).catch(() => {});
}
