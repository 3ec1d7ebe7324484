import { setTimeout as sleep } from 'node:timers/promises';
import { endsOf, type KafkaHandle, topicProgress } from '@carbon/messaging';
import { messagesLeft } from '../../indexing/catch-up.js';
import { LIBRARY_TOPIC } from '../../indexing/feed.js';
import type { Generation } from '../../indexing/generation.js';
import { CannotDo } from '../failures.js';

const LOOK_EVERY_MS = 200;
/** A group that takes nothing for so long is not being fed, or cannot write. */
export const STANDSTILL_MS = 30_000;

/** Waits until all that stands on the topic now is in a generation. @throws CannotDo when it gets no further */
export async function waitUntilTaken(
  kafka: KafkaHandle,
  { name, group }: Generation,
  onWait: (left: bigint) => void,
  standstillMs = STANDSTILL_MS,
): Promise<void> {
  const ends = await endsOf(kafka, LIBRARY_TOPIC);
  let least: bigint | undefined;
  let movedAt = performance.now();
  for (;;) {
    const { committed } = await topicProgress(kafka, LIBRARY_TOPIC, [group]);
    const left = messagesLeft(ends, committed.get(group) ?? []);
    if (left === 0n) return;
    if (least === undefined || left < least) movedAt = performance.now();
    least = left;
    if (performance.now() - movedAt > standstillMs) {
      throw new CannotDo(
        `${name} is ${left} messages behind the topic and gets no further. Does a catalog instance run?`,
      );
    }
    onWait(left);
    await sleep(LOOK_EVERY_MS);
  }
}
