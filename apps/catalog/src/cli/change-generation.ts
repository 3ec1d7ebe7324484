import { topicProgress } from '@carbon/messaging';
import { CommandError, type ProgressReporter, UsageError } from '@carbon/terminal';
import { beginGeneration } from '../index/begin-generations.js';
import { LIBRARY_TOPIC } from '../index/feed.js';
import { generationKey } from '../index/generation.js';
import type { LibraryState, StoredGeneration } from '../index/library-state.js';
import { mappingHash } from '../index/mapping.js';
import { candidateOf, chosen, frontOf, isLiveOrCandidate, isWhollyLive } from '../index/precedence.js';
import type { Engines } from './engines.js';
import { FollowGeneration } from './follow-generation.js';

/** How long `rebuild` and `use` wait. */
export interface ChangeOptions {
  /** Whether to wait until the generation is live. */
  readonly wait: boolean;
  readonly withinMs: number;
}

/** Begins the next generation, or joins one that is being built, and waits until it is live. */
export async function rebuild(engines: Engines, reporter: ProgressReporter, options: ChangeOptions): Promise<void> {
  const state = await engines.library.look();
  const under = candidateOf(state, mappingHash());
  const joins = under !== undefined && isLiveOrCandidate(under, state) && !isWhollyLive(under, state);
  const name = joins ? under.name : await begin(engines, state);
  reporter.say(joins ? `${name} is being built already.` : `${name} is begun.`);
  await waitUntilLive(engines, reporter, name, options);
}

async function begin({ library, kafka }: Engines, state: LibraryState): Promise<string> {
  return await beginGeneration(library, state, await topicProgress(kafka, LIBRARY_TOPIC, []));
}

/** Moves the aliases to an existing generation, whatever its mapping: when it has caught up, or at once. */
export async function use(
  engines: Engines,
  reporter: ProgressReporter,
  name: string,
  { now, ...options }: ChangeOptions & { readonly now: boolean },
): Promise<void> {
  const { library } = engines;
  const state = await library.look();
  const one = generationNamed(name, state);
  if (isWhollyLive(one, state)) {
    reporter.say(`${name} is live.`);
    return;
  }
  await library.note(one, chosen(one, state));
  if (!now) {
    await waitUntilLive(engines, reporter, name, options);
    return;
  }
  if (!(await library.swapAliases(one, state)))
    throw new CommandError('Another process moved the aliases. Look at `status`.');
  reporter.say(`${name} is live, whether it has caught up or not.`);
}

/** Removes generations that are not live. */
export async function drop(engines: Engines, reporter: ProgressReporter, names: readonly string[]): Promise<void> {
  const { library } = engines;
  const state = await library.look();
  const front = frontOf(state);
  const old = names.map((name) => generationNamed(name, state));
  if (front === undefined) {
    throw new CommandError(
      'Nothing is live, so nothing is removed: a generation must take the aliases first, see `use`.',
    );
  }
  const live = old.find(({ liveFor }) => liveFor.length > 0);
  if (live) throw new CommandError(`${live.name} is live. Replace it first: \`rebuild\` or \`use\`.`);
  for (const one of old) {
    if (!(await library.remove(one, front)))
      throw new CommandError(`${one.name} was not removed: something changed meanwhile.`);
    reporter.say(`${one.name} is removed.`);
  }
}

function generationNamed(name: string, { generations }: LibraryState): StoredGeneration {
  if (generationKey(name) === undefined) {
    throw new UsageError(`${JSON.stringify(name)} is not a generation: names are like 1a2b3c4d-2, see \`status\``);
  }
  const found = generations.find((one) => one.name === name);
  if (found === undefined) throw new CommandError(`There is no generation ${name}; \`status\` lists them.`);
  return found;
}

async function waitUntilLive(
  engines: Engines,
  reporter: ProgressReporter,
  name: string,
  options: ChangeOptions,
): Promise<void> {
  if (options.wait) await new FollowGeneration(engines, reporter, options).run(name);
  else reporter.say('It goes live by itself when it has caught up: `npm run catalog -- status`.');
}
