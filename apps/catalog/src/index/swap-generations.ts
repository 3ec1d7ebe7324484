import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CommittedPosition,
  committedPositions,
  type KafkaHandle,
  type TopicProgress,
  topicEnds,
} from '@carbon/messaging';
import { Logger } from '@nestjs/common';
import { isUntouched } from './begin-generations.js';
import { type Feed, hasPassed, LIBRARY_TOPIC, withinEnds } from './feed.js';
import type { Generation } from './generation.js';
import type { LibraryIndex } from './library-index.js';
import type { LibraryState, StoredGeneration } from './library-state.js';
import { mappingHash } from './mapping.js';
import { candidateOf, frontOf, isWhollyLive, mayCutOver, outlived, superseded } from './precedence.js';

/** How long to wait, at most, for the new generation to draw level with the live one. */
const LEVEL_MS = 5_000;
const LOOK_EVERY_MS = 100;

/** Lets searches go to the newest generation of this version's mapping when it holds all that the live one shows. */
export class SwapGenerations {
  private readonly logger = new Logger('indexing');
  private hasWarned = false;
  private hasWarnedOfLoss = false;

  constructor(
    private readonly library: LibraryIndex,
    private readonly kafka: KafkaHandle,
  ) {}

  /** @returns whether the aliases were moved */
  async run(
    state: LibraryState,
    topic: TopicProgress,
    feedOf: (one: Generation) => Feed | undefined,
  ): Promise<boolean> {
    const next = candidateOf(state, mappingHash());
    if (next === undefined || isWhollyLive(next, state) || !mayCutOver(next, state)) return false;
    if (!feedOf(next)?.hasCaughtUp(topic.committed.get(next.group) ?? [])) return false;
    const front = frontOf(state);
    if (front && front.group !== next.group && !(await this.mayReplace(front, next, topic))) return false;
    const moved = await this.library.swapAliases(next, state);
    await this.library.resolveSharedAliases(await this.library.look());
    return moved;
  }

  private async mayReplace(front: StoredGeneration, next: StoredGeneration, topic: TopicProgress): Promise<boolean> {
    if (!isUntouched(topic)) return await this.drawsLevel(front, next);
    const [pools, projects] = [
      await this.library.documents(front, 'POOL'),
      await this.library.documents(front, 'PROJECT'),
    ];
    if (pools + projects === 0) return true;
    if (!this.hasWarned) {
      this.logger.error(
        'Nothing was ever published on the topic, but the live generation holds assets: it stays until something is ' +
          'published. To search an empty library instead, run `npm run catalog -- use <generation> --now`',
        { generation: next.name },
      );
    }
    this.hasWarned = true;
    return false;
  }

  /** What the live one shows must not vanish: its successor may have caught up with the past and lag behind the present. */
  private async drawsLevel(front: StoredGeneration, next: StoredGeneration): Promise<boolean> {
    const shown = await this.reachable(front);
    for (const end = performance.now() + LEVEL_MS; performance.now() < end; await sleep(LOOK_EVERY_MS)) {
      if (hasPassed(await committedPositions(this.kafka, next.group, LIBRARY_TOPIC), shown)) return true;
    }
    return false;
  }

  /** How far the live one is, on the topic as it is: of what the topic has lost nobody can take anything any more. */
  private async reachable(front: StoredGeneration): Promise<CommittedPosition[]> {
    const shown = await committedPositions(this.kafka, front.group, LIBRARY_TOPIC);
    // Read after the positions: a topic that has only grown meanwhile is beyond them.
    const reachable = withinEnds(shown, await topicEnds(this.kafka, LIBRARY_TOPIC));
    if (!this.hasWarnedOfLoss && !hasPassed(reachable, shown)) {
      this.hasWarnedOfLoss = true;
      this.logger.warn('The live generation has read what the topic has lost: its successor holds what is left', {
        live: front.name,
      });
    }
    return reachable;
  }
}

/**
 * Sees to the generations whose place another has taken: writes down when that was seen, and removes each so long after.
 * Until then it is fed, and can be chosen again.
 */
export class RetireGenerations {
  private readonly logger = new Logger('indexing');

  constructor(
    private readonly library: LibraryIndex,
    private readonly keptMs: number,
  ) {}

  async run(state: LibraryState): Promise<void> {
    await this.library.resolveSharedAliases(state);
    const live = frontOf(state);
    if (live === undefined) return;
    const now = new Date();
    for (const one of superseded(state)) {
      if (!(await this.library.retire(one, live, now))) return;
      this.logger.log('A generation is retired', { generation: one.name, waitMs: this.keptMs });
    }
    for (const one of outlived(state, now.getTime(), this.keptMs)) await this.library.remove(one, live);
  }
}
