import type { TopicProgress } from '@carbon/messaging';
import { Logger } from '@nestjs/common';
import type { LibraryIndex } from './library-index.js';
import type { LibraryState, StoredGeneration } from './library-state.js';
import { MAPPING_REVISION, mappingHash } from './mapping.js';
import {
  candidateOf,
  isComplete,
  isFullyLive,
  isLiveOrCandidate,
  isOutranked,
  mayStart,
  withNewGeneration,
  withRecord,
} from './precedence.js';
import { reasonTopicChanged, storedSnapshot, type TopicSnapshot, withTopicId } from './topic-progress.js';

/** How often evidence of a re-created topic must be seen: the first time may be during a change. */
const CONFIRMATIONS = 2;

/**
 * Starts the next generation of this version's mapping.
 * @returns its name, or undefined if the state document has changed since `state`
 */
export async function startGeneration(
  library: LibraryIndex,
  state: LibraryState,
  topic: TopicSnapshot,
): Promise<string | undefined> {
  const own = { hash: mappingHash(), revision: MAPPING_REVISION };
  const { document, record } = withNewGeneration(state, own, storedSnapshot(topic));
  if (!(await library.update(state, document))) return undefined;
  await library.createIndices(record);
  return record.name;
}

/** Starts and completes generations automatically. */
export class GenerationStarter {
  private readonly logger = new Logger('indexing');
  private observed: string | undefined;
  private previous: TopicSnapshot | undefined;
  private confirmations = 0;
  private warning = '';

  constructor(private readonly library: LibraryIndex) {}

  /** @returns true if the state or the topic may have changed, so that it must be read again first */
  async run(state: LibraryState, topic: TopicProgress): Promise<boolean> {
    const candidate = candidateOf(state, mappingHash());
    if (candidate === undefined || !isLiveOrCandidate(candidate, state)) return await this.startNewer(state, topic);
    if (!isComplete(candidate) && candidate.liveFor.length === 0) {
      await this.library.createIndices(candidate);
      return true;
    }
    if (candidate.name !== this.observed) {
      // What was seen before concerns an older generation.
      this.previous = undefined;
      this.confirmations = 0;
    }
    this.observed = candidate.name;
    const reason = await this.reasonToReplace(candidate, state, topic);
    if (reason === undefined) {
      this.confirmations = 0;
      this.previous = topic;
      return await this.addTopicId(candidate, state, topic);
    }
    this.confirmations += 1;
    if (this.confirmations < CONFIRMATIONS) return true;
    if (isOutranked(candidate, state)) {
      const why = 'it is not rebuilt, because a version with a higher revision has a generation';
      this.warnOnce(`${reason}; ${why}. If that version is gone, run \`npm run catalog -- rebuild\``, candidate.name);
      return false;
    }
    await this.replace(candidate, reason, state, topic);
    return true;
  }

  private async startNewer(state: LibraryState, topic: TopicSnapshot): Promise<boolean> {
    if (mayStart(state, { hash: mappingHash(), revision: MAPPING_REVISION })) {
      await startGeneration(this.library, state, topic);
      return true;
    }
    this.warnOnce(
      'The live generation, or one that is being filled, has a mapping that is not older than that of this version: ' +
        'this instance starts none. To go back to this version, run `npm run catalog -- rebuild` from it',
    );
    return false;
  }

  private warnOnce(sentence: string, generation?: string): void {
    if (this.warning !== sentence) this.logger.warn(sentence, { generation });
    this.warning = sentence;
  }

  private async replace(
    old: StoredGeneration,
    reason: string,
    state: LibraryState,
    topic: TopicSnapshot,
  ): Promise<void> {
    const generation = await startGeneration(this.library, state, topic);
    if (generation === undefined) return;
    this.logger.error('The library is being rebuilt in a new generation', { reason, replaced: old.name, generation });
  }

  /** Adds the topic's id to an old generation's record. */
  private async addTopicId(one: StoredGeneration, state: LibraryState, topic: TopicSnapshot): Promise<boolean> {
    const snapshot = withTopicId(one.topic, topic);
    if (snapshot === undefined) return false;
    await this.library.update(
      state,
      withRecord(state.document, one.name, (record) => ({ ...record, topic: snapshot })),
    );
    return true;
  }

  private async reasonToReplace(
    one: StoredGeneration,
    state: LibraryState,
    topic: TopicProgress,
  ): Promise<string | undefined> {
    if (!isComplete(one)) return 'one of its two indices is gone';
    const committed = topic.committed.get(one.group) ?? [];
    const evidence = reasonTopicChanged(topic, one.topic, committed, this.previous);
    if (evidence !== undefined) return evidence;
    // Without `use --now`, only what has caught up goes live, so its group has lost its positions, or its topic.
    if (!isFullyLive(one, state) || committed.some(({ position }) => position !== undefined)) return undefined;
    return (await isEmpty(this.library, one)) ? undefined : 'it holds assets, and its consumer group has no position';
  }
}

/** Returns whether a generation has no searchable asset. */
export async function isEmpty(library: LibraryIndex, one: StoredGeneration): Promise<boolean> {
  const counts = await Promise.all(one.existingTypes.map((type) => library.countDocuments(one, type)));
  return counts.every((count) => count === 0);
}
