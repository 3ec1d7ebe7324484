import type { Admin } from 'kafkajs';
import { pause, pauseAfter } from '../back-off.js';
import type { KafkaHandle } from '../kafka/create-kafka.js';

/** What a broker answers that does not know yet: of a new topic or its leader, or of a group; kafkajs passes most of these on. */
const NOT_YET = [
  'UNKNOWN_TOPIC_OR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
  'GROUP_LOAD_IN_PROGRESS',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP',
];
/** What kafkajs makes of no broker knowing who coordinates a group: a fresh one is still making the topic that says so. */
const NO_COORDINATOR = 'KafkaJSGroupCoordinatorNotFound';
const ATTEMPTS = 12;
/** For what has just been made, and so will be known: a fresh broker on a busy machine takes its time. Some 30 s. */
export const ATTEMPTS_AFTER_MAKING = 64;
const AGAIN = { firstMs: 50, lastMs: 500 };

/**
 * Lends an admin connection for one piece of work, which may be done several times: a topic is not known everywhere the
 * moment it is made. A topic that does not exist at all is an error after about four seconds.
 */
export async function withAdmin<T>(
  kafka: KafkaHandle,
  work: (admin: Admin) => Promise<T>,
  attempts = ATTEMPTS,
): Promise<T> {
  const admin = kafka.client.admin();
  try {
    await admin.connect();
    return await onceKnown(() => work(admin), attempts);
  } finally {
    await admin.disconnect();
  }
}

/** Does the work again while a broker does not know yet, up to so many times. */
export async function onceKnown<T>(work: () => Promise<T>, attempts = ATTEMPTS): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      if (failures === attempts || !isNotYet(error)) throw error;
      await pause(pauseAfter(failures, AGAIN));
    }
  }
}

function isNotYet(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === NO_COORDINATOR || ('type' in error && NOT_YET.some((type) => type === error.type));
}
