import { countGroupMembers, type TopicProgress, topicProgress } from '@carbon/messaging';
import { type Column, Table } from '@carbon/terminal';
import type { LibraryState, StoredGeneration } from '../index/library-state.js';
import { compareGenerations, highestLive, isLiveOrCandidate, isWhollyLive } from '../index/precedence.js';
import { LIBRARY_TOPIC, messagesLeft } from '../index/topic-progress.js';
import type { Engines } from './engines.js';
import { formatCount, noConsumerHint } from './follow-generation.js';

/** The cells of a row of the table. */
type Row = readonly string[];

const TITLES = ['GENERATION', 'STATE', 'REVISION', 'POOLS', 'PROJECTS', 'BEHIND', 'AGE'];
const COLUMNS = TITLES.map((title, at): Column<Row> => ({ title, of: (row) => row[at] }));

const BUILDING = 'building';

/**
 * Returns the state of the library: a line for every generation, the newest first, and hints for generations without
 * consumers.
 */
export async function status({ library, kafka }: Engines, now = Date.now()): Promise<string[]> {
  const state = await library.look();
  const generations = [...state.generations].sort(compareGenerations).reverse();
  const topic = await topicProgress(
    kafka,
    LIBRARY_TOPIC,
    generations.map(({ group }) => group),
  );
  const documents = async (one: StoredGeneration, type: 'POOL' | 'PROJECT') => {
    return one.has.includes(type) ? formatCount(await library.documents(one, type)) : 'missing';
  };
  const building = generations.filter((one) => stateOf(one, state) === BUILDING);
  const members = await Promise.all(building.map(({ group }) => countGroupMembers(kafka, group)));
  const withoutConsumer = building.filter((_, number) => members[number] === 0);
  const rows = await Promise.all(
    generations.map(async (one) => [
      one.name,
      withoutConsumer.includes(one) ? 'no consumer' : stateOf(one, state),
      String(one.revision),
      await documents(one, 'POOL'),
      await documents(one, 'PROJECT'),
      behind(one, topic),
      age(now - (one.createdAt?.getTime() ?? now)),
    ]),
  );
  return rows.length === 0
    ? ['There is no generation yet; a catalog instance creates one when it starts.']
    : [...new Table(COLUMNS, Number.POSITIVE_INFINITY).lines(rows), ...withoutConsumer.map((one) => noConsumerHint(one, state))];
}

function stateOf(one: StoredGeneration, state: LibraryState): string {
  if (isWhollyLive(one, state)) return 'live';
  if (one.liveFor.length > 0) return 'partly live';
  if (one.supersededAt) return `retired at ${one.supersededAt.slice(0, 19)}Z`;
  return isLiveOrCandidate(one, state) && one !== highestLive(state) ? BUILDING : 'outdated';
}

function behind({ group }: StoredGeneration, { committed, ends }: TopicProgress): string {
  const left = messagesLeft(ends, committed.get(group) ?? []);
  return left === 0n ? 'nothing' : `${formatCount(left)} messages`;
}

function age(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} days`;
}
