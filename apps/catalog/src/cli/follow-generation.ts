import { setTimeout as sleep } from 'node:timers/promises';
import { countGroupMembers, topicEnds, topicProgress } from '@carbon/messaging';
import { CommandError, type ProgressReporter } from '@carbon/terminal';
import type { LibraryState, StoredGeneration } from '../index/library-state.js';
import { compareGenerations, highestLive, isFullyLive, mayBeDropped } from '../index/precedence.js';
import { consumerLag, LIBRARY_TOPIC } from '../index/topic-progress.js';
import type { Engines } from './engines.js';

/** How much a generation had not consumed when this process looked first. */
interface FirstLook {
  readonly left: bigint;
  readonly atMs: number;
}

/** Returns the progress, for example `45 % of 200,000 messages, 12,345 a second`. */
function progressText(all: bigint, left: bigint, first: FirstLook): string {
  if (all === 0n) return 'the topic is empty';
  const percent = ((all - left) * 100n) / all;
  return `${percent} % of ${formatCount(all)} messages, ${formatCount(perSecond(first.left - left, first))} a second`;
}

/** Such as ` 200,000 messages in 12.3 s, 16,260 a second`; empty for a generation that had consumed the topic before. */
function finishedText(first: FirstLook | undefined): string {
  if (first === undefined || first.left === 0n) return '';
  const seconds = ((performance.now() - first.atMs) / 1000).toFixed(1);
  return ` ${formatCount(first.left)} messages in ${seconds} s, ${formatCount(perSecond(first.left, first))} a second`;
}

/** With a comma between every three digits. */
export function formatCount(count: bigint | number): string {
  return count.toLocaleString('en-US');
}

function perSecond(count: bigint, { atMs }: FirstLook): bigint {
  return (count * 1000n) / BigInt(Math.max(1, Math.round(performance.now() - atMs)));
}

const POLL_MS = 500;
/** A starting instance, or a rebalance, may leave a group empty for a moment. */
const IDLE_AFTER_MS = 5_000;

/**
 * Follows a generation until it is live, and reports progress.
 * @param timeoutMs after which it stops waiting; the rebuild continues
 * @throws CommandError when it does not become live
 */
export async function followGeneration(
  { kafka, library }: Engines,
  reporter: ProgressReporter,
  name: string,
  timeoutMs: number,
): Promise<void> {
  const began = performance.now();
  const elapsedMs = () => performance.now() - began;
  let lastMemberAt = began;
  let first: FirstLook | undefined;
  let hasWarned = false;
  const ends = await topicEnds(kafka, LIBRARY_TOPIC);
  const all = consumerLag(ends, []);
  for (;;) {
    const state = await library.readState();
    const one = requireCandidate(name, state);
    if (isFullyLive(one, state)) {
      reporter.say(`${name} is live.${finishedText(first)}`);
      return;
    }
    if ((await countGroupMembers(kafka, one.group)) > 0) lastMemberAt = performance.now();
    if (performance.now() - lastMemberAt <= IDLE_AFTER_MS) {
      const { committed } = await topicProgress(kafka, LIBRARY_TOPIC, [one.group]);
      const left = consumerLag(ends, committed.get(one.group) ?? []);
      first ??= { left, atMs: performance.now() };
      reporter.progress(`${name}: ${progressText(all, left, first)}`);
    } else if (!hasWarned) {
      hasWarned = true;
      reporter.say(noConsumerHint(one, state));
    }
    if (elapsedMs() > timeoutMs) {
      throw new CommandError(
        `${name} is not live yet, and the timeout has elapsed. The rebuild continues in the background; to check it, run \`npm run catalog -- status\`.`,
      );
    }
    await sleep(POLL_MS);
  }
}

function requireCandidate(name: string, state: LibraryState): StoredGeneration {
  const one = state.generations.find((generation) => generation.name === name);
  if (one === undefined) throw new CommandError(`${name} was removed in the meantime.`);
  const live = highestLive(state);
  if (live && compareGenerations(one, live) < 0) {
    throw new CommandError(
      `${name} will not become live: ${live.name}, which was started or chosen later, is already live.`,
    );
  }
  return one;
}

/** Returns a hint for a generation that should become live but has no consumer. */
export function noConsumerHint(one: StoredGeneration, state: LibraryState): string {
  const waits = `No catalog instance is filling ${one.name}. The generation needs an instance with the mapping ${one.hash}: start one (\`npm start\`)`;
  return mayBeDropped(one, state)
    ? `${waits}, or drop the generation (\`npm run catalog -- drop ${one.name}\`).`
    : `${waits}. It cannot be dropped before another generation is live.`;
}
