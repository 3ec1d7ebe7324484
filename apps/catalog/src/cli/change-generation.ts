import { topicProgress } from '@carbon/messaging';
import type { Screen } from '@carbon/terminal';
import { beginGeneration } from '../index/begin-generations.js';
import { LIBRARY_TOPIC } from '../index/feed.js';
import { generationKey } from '../index/generation.js';
import type { LibraryState, StoredGeneration } from '../index/library-state.js';
import { mappingHash } from '../index/mapping.js';
import { candidateOf, chosen, frontOf, isLiveOrCandidate, isWhollyLive } from '../index/precedence.js';
import type { Engines } from './engines.js';
import { CannotDo, WrongUsage } from './failures.js';
import { FollowGeneration } from './follow-generation.js';

/** What `rebuild` and `use` may be told. */
export interface ChangeOptions {
  /** Whether to stay until the generation is live. */
  readonly wait: boolean;
  readonly withinMs: number;
}

/** Begins the next generation, or joins one that is on its way, and stays until it is live. */
export async function rebuild(engines: Engines, screen: Screen, options: ChangeOptions): Promise<void> {
  const state = await engines.library.look();
  const under = candidateOf(state, mappingHash());
  const joins = under !== undefined && isLiveOrCandidate(under, state) && !isWhollyLive(under, state);
  const name = joins ? under.name : await begin(engines, state);
  screen.say(joins ? `${name} is being built already.` : `${name} is begun.`);
  await stay(engines, screen, name, options);
}

async function begin({ library, kafka }: Engines, state: LibraryState): Promise<string> {
  return await beginGeneration(library, state, await topicProgress(kafka, LIBRARY_TOPIC, []));
}

/** Lets searches go to a generation that stands, whatever its mapping: when it has caught up, or at once. */
export async function use(
  engines: Engines,
  screen: Screen,
  name: string,
  { now, ...options }: ChangeOptions & { readonly now: boolean },
): Promise<void> {
  const { library } = engines;
  const state = await library.look();
  const one = generationNamed(name, state);
  if (isWhollyLive(one, state)) {
    screen.say(`${name} is live.`);
    return;
  }
  await library.note(one, chosen(one, state));
  if (!now) {
    await stay(engines, screen, name, options);
    return;
  }
  if (!(await library.swapAliases(one, state)))
    throw new CannotDo('The aliases were moved by somebody else. Look at `status`.');
  screen.say(`${name} is live, caught up or not.`);
}

/** Removes generations that are not live. */
export async function drop(engines: Engines, screen: Screen, names: readonly string[]): Promise<void> {
  const { library } = engines;
  const state = await library.look();
  const front = frontOf(state);
  const old = names.map((name) => generationNamed(name, state));
  if (front === undefined) {
    throw new CannotDo('Nothing is live, so nothing is removed: a generation must take the aliases first, see `use`.');
  }
  const live = old.find(({ liveFor }) => liveFor.length > 0);
  if (live) throw new CannotDo(`${live.name} is live. Let another take its place first: \`rebuild\` or \`use\`.`);
  for (const one of old) {
    if (!(await library.remove(one, front)))
      throw new CannotDo(`${one.name} was not removed: something has changed meanwhile.`);
    screen.say(`${one.name} is removed.`);
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
