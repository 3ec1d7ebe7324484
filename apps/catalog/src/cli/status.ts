import { countGroupMembers, topicProgress } from '@carbon/messaging';
import type { Column } from '@carbon/terminal';
import type { LibraryState, StoredGeneration } from '../index/library-state.js';
import { compareGenerations, isFullyLive, isLiveOrCandidate } from '../index/precedence.js';
import { consumerLag, LIBRARY_TOPIC } from '../index/topic-progress.js';
import type { Engines } from './engines.js';
import { formatCount, noConsumerHint } from './follow-generation.js';

/** A generation of the indices. */
export interface GenerationStatus {
  readonly generation: string;
  readonly state: 'live' | 'partly live' | 'retired' | 'building' | 'no consumer' | 'outdated';
  readonly revision: number;
  /** Documents; undefined when the index is missing. */
  readonly pools?: number | undefined;
  readonly projects?: number | undefined;
  /** Positions of the topic that it has not read. There may be fewer messages, because the topic is compacted. */
  readonly behind: number;
  /** RFC 3339, as is `retiredAt`. */
  readonly createdAt?: string | undefined;
  readonly retiredAt?: string | undefined;
}

/** The columns of the table of generations. */
export const STATUS_COLUMNS: readonly Column<GenerationStatus>[] = [
  { title: 'GENERATION', of: ({ generation }) => generation },
  { title: 'STATE', of: ({ state, retiredAt }) => (retiredAt ? `${state} at ${retiredAt.slice(0, 19)}Z` : state) },
  { title: 'REVISION', of: ({ revision }) => revision },
  { title: 'POOLS', of: ({ pools }) => documentsText(pools) },
  { title: 'PROJECTS', of: ({ projects }) => documentsText(projects) },
  { title: 'BEHIND', of: ({ behind }) => (behind === 0 ? 'nothing' : `${formatCount(behind)} messages`) },
  { title: 'AGE', of: ({ createdAt }) => (createdAt === undefined ? undefined : ageText(createdAt)) },
];

/** Returns every generation, the newest first, and hints for generations without consumers. */
export async function status({
  library,
  kafka,
}: Engines): Promise<{ readonly generations: readonly GenerationStatus[]; readonly hints: readonly string[] }> {
  const state = await library.readState();
  const generations = [...state.generations].sort(compareGenerations).reverse();
  const { committed, ends } = await topicProgress(
    kafka,
    LIBRARY_TOPIC,
    generations.map(({ group }) => group),
  );
  const documents = async (one: StoredGeneration, type: 'POOL' | 'PROJECT') =>
    one.existingTypes.includes(type) ? await library.countDocuments(one, type) : undefined;
  const building = generations.filter((one) => stateOf(one, state) === 'building');
  const members = await Promise.all(building.map(({ group }) => countGroupMembers(kafka, group)));
  const withoutConsumer = building.filter((_, number) => members[number] === 0);
  const statuses = await Promise.all(
    generations.map(
      async (one): Promise<GenerationStatus> => ({
        generation: one.name,
        state: withoutConsumer.includes(one) ? 'no consumer' : stateOf(one, state),
        revision: one.revision,
        pools: await documents(one, 'POOL'),
        projects: await documents(one, 'PROJECT'),
        behind: Number(consumerLag(ends, committed.get(one.group) ?? [])),
        createdAt: one.createdAt?.toISOString(),
        retiredAt: stateOf(one, state) === 'retired' ? one.supersededAt : undefined,
      }),
    ),
  );
  return { generations: statuses, hints: withoutConsumer.map((one) => noConsumerHint(one, state)) };
}

function stateOf(one: StoredGeneration, state: LibraryState): GenerationStatus['state'] {
  if (isFullyLive(one, state)) return 'live';
  if (one.liveFor.length > 0) return 'partly live';
  if (one.supersededAt) return 'retired';
  return isLiveOrCandidate(one, state) ? 'building' : 'outdated';
}

function documentsText(count: number | undefined): string {
  return count === undefined ? 'missing' : formatCount(count);
}

function ageText(createdAt: string): string {
  const minutes = Math.floor((Date.now() - Date.parse(createdAt)) / 60_000);
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} days`;
}
