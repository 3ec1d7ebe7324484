import { topicProgress } from '@carbon/messaging';
import type { Screen } from '@carbon/terminal';
import { generationKey } from '../index/generation.js';
import type { LibraryState, StoredGeneration } from '../index/library-state.js';
import { mappingHash } from '../index/mapping.js';
import { candidateOf, frontOf, isLiveOrCandidate, isWhollyLive } from '../index/precedence.js';
import { startGeneration } from '../index/start-generations.js';
import { LIBRARY_TOPIC } from '../index/topic-progress.js';
import type { Engines } from './engines.js';
import { CannotDo, WrongUsage } from './failures.js';
import { FollowGeneration } from './follow-generation.js';

/** What `rebuild` and `use` may be told. */
export interface ChangeOptions {
  /** Whether to stay until the generation is live. */
  readonly wait: boolean;
  readonly withinMs: number;
}

/** Starts the next generation, or joins one that is being built, and stays until it is live. */
export async function rebuild(engines: Engines, screen: Screen, options: ChangeOptions): Promise<void> {
  const { library, kafka } = engines;
  const topic = await topicProgress(kafka, LIBRARY_TOPIC, []);
  for (;;) {
    const state = await library.look();
    const building = candidateOf(state, mappingHash());
    const joins = building !== undefined && isLiveOrCandidate(building, state) && !isWhollyLive(building, state);
    const name = joins ? building.name : await startGeneration(library, state, topic);
    // Another process has changed the state document: the next look shows what it has done.
    if (name === undefined) continue;
    screen.say(joins ? `${name} is being built already.` : `${name} is begun.`);
    return await stay(engines, screen, name, options);
  }
}

const SWAP_ATTEMPTS = 3;

/** Swaps the aliases to an existing generation, whatever its mapping: once it has caught up, or now. */
export async function use(
  engines: Engines,
  screen: Screen,
  name: string,
  { now, ...options }: ChangeOptions & { readonly now: boolean },
): Promise<void> {
  const { library } = engines;
  const state = await library.look();
  if (isWhollyLive(generationNamed(name, state), state)) {
    screen.say(`${name} is live.`);
    return;
  }
  await library.choose((latest) => generationNamed(name, latest));
  if (!now) {
    await stay(engines, screen, name, options);
    return;
  }
  // A running instance may change the state document in between, for example to complete a generation.
  for (let attempt = 1; attempt <= SWAP_ATTEMPTS; attempt += 1) {
    const latest = await library.look();
    if (!(await library.swapAliases(generationNamed(name, latest), latest))) continue;
    screen.say(`${name} is live, caught up or not.`);
    return;
  }
  throw new CannotDo('The aliases were moved by somebody else. Look at `status`.');
}

/** Removes generations that are not live. */
export async function drop(engines: Engines, screen: Screen, names: readonly string[]): Promise<void> {
  const { library } = engines;
  const checked = (state: LibraryState) => {
    const old = names.map((name) => generationNamed(name, state));
    if (frontOf(state) === undefined) {
      throw new CannotDo(
        'Nothing is live, so nothing is removed: a generation must take the aliases first, see `use`.',
      );
    }
    const live = old.find(({ liveFor }) => liveFor.length > 0);
    if (live) throw new CannotDo(`${live.name} is live. Let another take its place first: \`rebuild\` or \`use\`.`);
    return old;
  };
  const removed = await library.remove(checked);
  for (const name of names) {
    if (!removed.includes(name)) throw new CannotDo(`${name} was not removed: something has changed meanwhile.`);
    screen.say(`${name} is removed.`);
  }
}

function generationNamed(name: string, { generations }: LibraryState): StoredGeneration {
  if (generationKey(name) === undefined) {
    throw new WrongUsage(`${JSON.stringify(name)} is no generation: those are called like 1a2b3c4d-2, see \`status\``);
  }
  const found = generations.find((one) => one.name === name);
  if (found === undefined) throw new CannotDo(`There is no generation ${name}; \`status\` lists those that stand.`);
  return found;
}

async function stay(engines: Engines, screen: Screen, name: string, options: ChangeOptions): Promise<void> {
  if (options.wait) await new FollowGeneration(engines, screen, options).run(name);
  else screen.say('It goes live by itself when it has caught up: `npm run catalog -- status`.');
}
