import type { CommittedPosition, PartitionEnds, TopicProgress } from '@carbon/messaging';
import { Logger } from '@nestjs/common';
import type { LibraryIndex } from './library-index.js';
import type { LibraryState, StoredGeneration, TopicMark } from './library-state.js';
import { MAPPING_REVISION, mappingHash } from './mapping.js';
import { candidateOf, isComplete, isLiveOrCandidate, isWhollyLive, mayBegin, nextGeneration } from './precedence.js';

/** The topic as it is now. */
export interface TopicNow {
  /** Kafka's own name for itself: another one once its data was wiped. */
  readonly cluster: string;
  /** Kafka's id of the topic: another one once it was created anew. */
  readonly topicId: string;
  readonly ends: readonly PartitionEnds[];
}

/** What to remember of the topic when a generation is begun. */
export function topicMark({ cluster, topicId, ends }: TopicNow): TopicMark {
  const inOrder = [...ends].sort((one, other) => one.partition - other.partition);
  return { cluster, topicId, ends: inOrder.map(({ end }) => String(end)) };
}

/** The mark of a generation of before topics were told by their ids, completed; undefined where nothing is missing. */
export function completedMark(mark: TopicMark | undefined, topic: TopicNow): TopicMark | undefined {
  return mark?.topicId === undefined ? { ...topicMark(topic), ...mark, topicId: topic.topicId } : undefined;
}

/** Whether nothing was ever published. */
export function isUntouched({ ends }: TopicNow): boolean {
  return ends.every(({ end }) => end === 0n);
}

/**
 * Why the topic cannot be the one that a generation was filled from, if there is a sign of it. Positions begin at zero in
 * a topic made anew, so everything in it would be older than what the index holds, and be refused without a word.
 * `seen` is what this process saw of the topic before.
 */
export function reasonTopicChanged(
  topic: TopicNow,
  mark: TopicMark | undefined,
  committed: readonly CommittedPosition[],
  seen: TopicNow | undefined,
): string | undefined {
  if (mark && mark.cluster !== topic.cluster) return 'Kafka is another one than it was filled from';
  if (mark?.topicId !== undefined && mark.topicId !== topic.topicId) return 'the topic was created anew';
  if (seen && seen.topicId !== topic.topicId) return 'the topic was created anew';
  const ends = new Map(topic.ends.map(({ partition, end }) => [partition, end]));
  const beyond = (partition: number, position: bigint) => position > (ends.get(partition) ?? 0n);
  if (mark?.ends.some((end, partition) => beyond(partition, BigInt(end)))) {
    return 'the topic is shorter than when it was begun';
  }
  if (committed.some(({ partition, position }) => position !== undefined && beyond(partition, position))) {
    return 'its consumer group has read beyond the end of the topic';
  }
  if (seen?.ends.some(({ partition, end }) => beyond(partition, end))) return 'the topic has become shorter';
  return undefined;
}

/** A sign of another topic counts when it is there twice: the first may have been seen in the middle of a change. */
const LOOKS = 2;

/** Begins the next generation of this version's mapping. @returns its name */
export async function beginGeneration(library: LibraryIndex, state: LibraryState, topic: TopicNow): Promise<string> {
  const { over, ...key } = nextGeneration(state, { hash: mappingHash(), revision: MAPPING_REVISION });
  const meta = { revision: MAPPING_REVISION, ...(over !== undefined && { over }), topic: topicMark(topic) };
  await library.make(key, meta);
  return `${key.hash}-${key.number}`;
}

/** Begins generations where that needs nobody's word. */
export class BeginGenerations {
  private readonly logger = new Logger('indexing');
  private seen: TopicNow | undefined;
  private looks = 0;
  private hasWarned = false;

  constructor(private readonly library: LibraryIndex) {}

  /** @returns true when something was begun, or may have to be: nothing must be fed before the next look */
  async run(state: LibraryState, topic: TopicProgress): Promise<boolean> {
    const candidate = candidateOf(state, mappingHash());
    if (candidate === undefined || !isLiveOrCandidate(candidate, state)) return await this.beginAhead(state, topic);
    if (!isComplete(candidate) && candidate.liveFor.length === 0) {
      await this.library.make(candidate, candidate.meta);
      return true;
    }
    const reason = await this.reasonToReplace(candidate, state, topic);
    if (reason === undefined) {
      this.looks = 0;
      this.seen = topic;
      await this.identify(candidate, topic);
      return false;
    }
    this.looks += 1;
    if (this.looks >= LOOKS) await this.replace(candidate, reason, state, topic);
    return true;
  }

  private async beginAhead(state: LibraryState, topic: TopicNow): Promise<boolean> {
    if (mayBegin(state, { hash: mappingHash(), revision: MAPPING_REVISION })) {
      await beginGeneration(this.library, state, topic);
      return true;
    }
    if (!this.hasWarned) {
      this.logger.warn(
        'The library is kept by a mapping that is no older than ours: it is searched and not replaced. To go back to ' +
          'this version, run `npm run catalog -- rebuild` from it',
        { name: mappingHash() },
      );
    }
    this.hasWarned = true;
    return false;
  }

  private async replace(old: StoredGeneration, reason: string, state: LibraryState, topic: TopicNow): Promise<void> {
    const generation = await beginGeneration(this.library, state, topic);
    this.logger.error('The library is built anew', { reason, name: old.name, generation });
    this.looks = 0;
    this.seen = topic;
  }

  /** Notes of which topic a generation is, where that is not known. */
  private async identify(one: StoredGeneration, topic: TopicNow): Promise<void> {
    const mark = completedMark(one.meta.topic, topic);
    if (mark !== undefined) await this.library.note(one, { ...one.meta, topic: mark });
  }

  private async reasonToReplace(
    one: StoredGeneration,
    state: LibraryState,
    topic: TopicProgress,
  ): Promise<string | undefined> {
    if (!isComplete(one)) return 'one of its two indices is gone';
    const committed = topic.committed.get(one.group) ?? [];
    const sign = reasonTopicChanged(topic, one.meta.topic, committed, this.seen);
    if (sign !== undefined) return sign;
    // Only what has caught up goes live, so a group without a position has lost it, or its topic.
    if (!isWhollyLive(one, state) || committed.some(({ position }) => position !== undefined)) return undefined;
    return (await this.isEmpty(one)) ? undefined : 'it holds assets, and its consumer group has no position';
  }

  private async isEmpty(one: StoredGeneration): Promise<boolean> {
    const [pools, projects] = [await this.library.documents(one, 'POOL'), await this.library.documents(one, 'PROJECT')];
    return pools + projects === 0;
  }
}
