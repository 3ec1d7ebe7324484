import { setTimeout as sleep } from 'node:timers/promises';
import { countGroupMembers, type PartitionEnds, topicEnds, topicProgress } from '@carbon/messaging';
import type { Screen } from '@carbon/terminal';
import { LIBRARY_TOPIC, messagesLeft } from '../index/feed.js';
import type { LibraryState, StoredGeneration } from '../index/library-state.js';
import { compareGenerations, frontOf, isWhollyLive, mayBeDropped } from '../index/precedence.js';
import type { Engines } from './engines.js';
import { CannotDo } from './failures.js';

/** Such as `45 % of 200,000 messages, 12,345 a second`. */
export function howFar(all: bigint, left: bigint, elapsedMs: number): string {
  if (all === 0n) return 'the topic is empty';
  const taken = all - left;
  const percent = (taken * 100n) / all;
  return `${percent} % of ${grouped(all)} messages, ${grouped(perSecond(taken, elapsedMs))} a second`;
}

/** Such as `200,000 messages in 12.3 s, 16,260 a second`. */
export function finished(all: bigint, elapsedMs: number): string {
  return `${grouped(all)} messages in ${(elapsedMs / 1000).toFixed(1)} s, ${grouped(perSecond(all, elapsedMs))} a second`;
}

/** With a comma between every three digits. */
export function grouped(count: bigint | number): string {
  return count.toLocaleString('en-US');
}

function perSecond(count: bigint, elapsedMs: number): bigint {
  return (count * 1000n) / BigInt(Math.max(1, Math.round(elapsedMs)));
}

const LOOK_EVERY_MS = 500;
/** A starting instance, or a rebalance, may leave a group empty for a moment. */
const NOBODY_AFTER_MS = 5_000;

/** How long a command polls a generation. */
export interface PollOptions {
  /** Then it gives up; what was begun goes on. */
  readonly withinMs: number;
}

/** Follows a generation on its way to being live, and tells how far it is. @throws CannotDo when it does not get there */
export class FollowGeneration {
  private readonly began = performance.now();
  private fedAt = performance.now();
  private saidNobody = false;

  constructor(
    private readonly engines: Engines,
    private readonly screen: Screen,
    private readonly poll: PollOptions,
  ) {}

  async run(name: string): Promise<void> {
    const { kafka, library } = this.engines;
    const ends = await topicEnds(kafka, LIBRARY_TOPIC);
    const all = messagesLeft(ends, []);
    for (;;) {
      const state = await library.look();
      const one = this.stillAhead(name, state);
      if (isWhollyLive(one, state)) {
        this.screen.say(`${name} is live. ${finished(all, performance.now() - this.began)}`);
        return;
      }
      await this.tell(one, state, all, ends);
      if (performance.now() - this.began > this.poll.withinMs) {
        throw new CannotDo(
          `${name} is not live yet, and time is up. It goes on by itself: \`npm run catalog -- status\`.`,
        );
      }
      await sleep(LOOK_EVERY_MS);
    }
  }

  private stillAhead(name: string, state: LibraryState): StoredGeneration {
    const one = state.generations.find((generation) => generation.name === name);
    if (one === undefined) throw new CannotDo(`${name} was removed meanwhile.`);
    const front = frontOf(state);
    if (front && compareGenerations(one, front) < 0) {
      throw new CannotDo(
        `${name} will not go live: ${front.name}, which was begun or chosen after it, is live already.`,
      );
    }
    return one;
  }

  private async tell(
    one: StoredGeneration,
    state: LibraryState,
    all: bigint,
    ends: readonly PartitionEnds[],
  ): Promise<void> {
    const { kafka } = this.engines;
    const { committed } = await topicProgress(kafka, LIBRARY_TOPIC, [one.group]);
    const left = messagesLeft(ends, committed.get(one.group) ?? []);
    if ((await countGroupMembers(kafka, one.group)) > 0) this.fedAt = performance.now();
    if (performance.now() - this.fedAt > NOBODY_AFTER_MS) this.sayUnfed(one, state);
    else this.screen.show(`${one.name}: ${howFar(all, left, performance.now() - this.began)}`);
  }

  private sayUnfed(one: StoredGeneration, state: LibraryState): void {
    if (this.saidNobody) return;
    this.saidNobody = true;
    this.screen.say(unfedHint(one, state));
  }
}

/** What to do about a generation that is to go live and that no instance feeds. */
export function unfedHint(one: StoredGeneration, state: LibraryState): string {
  const waits = `No catalog instance feeds ${one.name}. It waits for one whose mapping is ${one.hash}: start it (\`npm start\`)`;
  return mayBeDropped(one, state)
    ? `${waits}, or give the generation up (\`npm run catalog -- drop ${one.name}\`).`
    : `${waits}. It cannot be given up before another generation is live.`;
}
