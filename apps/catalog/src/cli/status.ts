import { countGroupMembers, type TopicProgress, topicProgress } from '@carbon/messaging';
import { LIBRARY_TOPIC, messagesLeft } from '../index/feed.js';
import type { LibraryState, StoredGeneration } from '../index/library-state.js';
import { compareGenerations, frontOf, isLiveOrCandidate, isWhollyLive, retiredAt } from '../index/precedence.js';
import type { Engines } from './engines.js';
import { grouped, unfedHint } from './follow-generation.js';

const HEADINGS = ['GENERATION', 'STATE', 'REVISION', 'POOLS', 'PROJECTS', 'BEHIND', 'AGE'];

const BUILDING = 'building';

/** How the library stands: a line for every generation, the foremost first, and what to do where one waits in vain. */
export async function status({ library, kafka }: Engines, now = Date.now()): Promise<string[]> {
  const state = await library.look();
  const generations = [...state.generations].sort(compareGenerations).reverse();
  const topic = await topicProgress(
    kafka,
    LIBRARY_TOPIC,
    generations.map(({ group }) => group),
  );
  const documents = async (one: StoredGeneration, type: 'POOL' | 'PROJECT') => {
    return one.has.includes(type) ? grouped(await library.documents(one, type)) : 'missing';
  };
  const building = generations.filter((one) => stateOf(one, state) === BUILDING);
  const members = await Promise.all(building.map(({ group }) => countGroupMembers(kafka, group)));
  const unfed = building.filter((_, number) => members[number] === 0);
  const rows = await Promise.all(
    generations.map(async (one) => [
      one.name,
      unfed.includes(one) ? 'fed by nobody' : stateOf(one, state),
      String(one.meta.revision),
      await documents(one, 'POOL'),
      await documents(one, 'PROJECT'),
      behind(one, topic),
      age(now - one.createdAt.getTime()),
    ]),
  );
  return rows.length === 0
    ? ['There is no generation yet; a catalog instance begins one when it starts.']
    : [...table(rows), ...unfed.map((one) => unfedHint(one, state))];
}

function stateOf(one: StoredGeneration, state: LibraryState): string {
  if (isWhollyLive(one, state)) return 'live';
  if (one.liveFor.length > 0) return 'partly live';
  const retired = retiredAt(one);
  if (retired) return `retired at ${retired.toISOString().slice(0, 19)}Z`;
  return isLiveOrCandidate(one, state) && one !== frontOf(state) ? BUILDING : 'left behind';
}

function behind({ group }: StoredGeneration, { committed, ends }: TopicProgress): string {
  const left = messagesLeft(ends, committed.get(group) ?? []);
  return left === 0n ? 'nothing' : `${grouped(left)} messages`;
}

function age(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} days`;
}

function table(rows: readonly (readonly string[])[]): string[] {
  const all = [HEADINGS, ...rows];
  const widths = HEADINGS.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
