import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CommittedPosition,
  committedPositions,
  hasNeverHadMessages,
  type KafkaHandle,
  type TopicProgress,
  topicEnds,
} from '@carbon/messaging';
import { Logger } from '@nestjs/common';
import type { Generation } from './generation.js';
import type { GenerationConsumer } from './generation-consumers.js';
import { isEmpty } from './generation-starter.js';
import type { LibraryIndex } from './library-index.js';
import type { LibraryState, StoredGeneration } from './library-state.js';
import { mappingHash } from './mapping.js';
import {
  candidateOf,
  expiredGenerations,
  highestLive,
  isFullyLive,
  mayCutOver,
  newlySupersededGenerations,
  withoutDeletedGenerations,
  withRecord,
  withRemoving,
} from './precedence.js';
import { hasReached, LIBRARY_TOPIC, withinEnds } from './topic-progress.js';

/** How long to wait, at most, until the new generation has reached the live one. */
const PASS_MS = 5_000;
const POLL_MS = 100;

/** Swaps the aliases to the candidate of this version's mapping once it has everything that the live generation has. */
export class CutOver {
  private readonly logger = new Logger('indexing');
  private hasWarnedOfEmptyTopic = false;
  private hasWarnedOfLoss = false;

  constructor(
    private readonly library: LibraryIndex,
    private readonly kafka: KafkaHandle,
  ) {}

  /** @returns whether the aliases were swapped */
  async run(
    state: LibraryState,
    topic: TopicProgress,
    consumerOf: (one: Generation) => GenerationConsumer | undefined,
  ): Promise<boolean> {
    const next = candidateOf(state, mappingHash());
    if (next === undefined || isFullyLive(next, state) || !mayCutOver(next, state)) return false;
    if (!consumerOf(next)?.hasCaughtUp(topic.committed.get(next.group) ?? [])) return false;
    const front = highestLive(state);
    if (front && front.group !== next.group && !(await this.mayReplace(front, next, topic))) return false;
    return await this.library.swapAliases(next, state);
  }

  private async mayReplace(front: StoredGeneration, next: StoredGeneration, topic: TopicProgress): Promise<boolean> {
    if (!hasNeverHadMessages(topic.ends)) return await this.passes(front, next);
    if (await isEmpty(this.library, front)) return true;
    if (!this.hasWarnedOfEmptyTopic) {
      this.logger.error(
        'Nothing was ever published on the topic, but the live generation holds assets: it stays live until something is ' +
          'published. To search an empty library instead, run `npm run catalog -- use <generation> --now`',
        { generation: next.name },
      );
    }
    this.hasWarnedOfEmptyTopic = true;
    return false;
  }

  /** No asset may vanish: the new generation may have consumed the past and still lag behind the live one. */
  private async passes(front: StoredGeneration, next: StoredGeneration): Promise<boolean> {
    const shown = await this.reachable(front);
    for (const end = performance.now() + PASS_MS; performance.now() < end; await sleep(POLL_MS)) {
      if (hasReached(await committedPositions(this.kafka, next.group, LIBRARY_TOPIC), shown)) return true;
    }
    return false;
  }

  /** The live generation's positions, limited to the topic: lost messages cannot be consumed. */
  private async reachable(front: StoredGeneration): Promise<CommittedPosition[]> {
    const shown = await committedPositions(this.kafka, front.group, LIBRARY_TOPIC);
    // Read after the positions: a topic that has only grown since ends beyond them.
    const reachable = withinEnds(shown, await topicEnds(this.kafka, LIBRARY_TOPIC));
    if (!this.hasWarnedOfLoss && !hasReached(reachable, shown)) {
      this.hasWarnedOfLoss = true;
      this.logger.warn('The live generation holds messages that the topic has lost; the next one will not', {
        generation: front.name,
      });
    }
    return reachable;
  }
}

/** Records when a generation was superseded, and removes it some time later. Until then it is filled and can be chosen. */
export class GenerationRemover {
  private readonly logger = new Logger('indexing');

  constructor(
    private readonly library: LibraryIndex,
    private readonly retentionMs: number,
  ) {}

  /**
   * Removes in three steps: marks the generation in the document, deletes the indices, drops the record.
   * @returns whether it changed something
   */
  async run(state: LibraryState): Promise<boolean> {
    const forgotten = withoutDeletedGenerations(state);
    if (forgotten !== undefined) return await this.library.update(state, forgotten);
    const isDeleted = await this.library.deleteRemoved(state);
    const now = new Date();
    const [superseded, old] = [
      newlySupersededGenerations(state),
      expiredGenerations(state, now.getTime(), this.retentionMs),
    ];
    if (superseded.length + old.length === 0) return isDeleted;
    let { document } = state;
    for (const { name } of superseded) {
      document = withRecord(document, name, (record) => ({ ...record, supersededAt: now.toISOString() }));
      this.logger.log('Generation superseded', { generation: name, waitMs: this.retentionMs });
    }
    for (const { name } of old) document = withRemoving(document, name);
    return await this.library.update(state, document);
  }
}
