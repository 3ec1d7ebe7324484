import { topicProgress } from '@carbon/messaging';
import { CommandError, type ProgressReporter, UsageError } from '@carbon/terminal';
import { generationKey } from '../index/generation.js';
import { startGeneration } from '../index/generation-starter.js';
import type { LibraryState, StoredGeneration } from '../index/library-state.js';
import { mappingHash } from '../index/mapping.js';
import { candidateOf, highestLive, isFullyLive, isLiveOrCandidate } from '../index/precedence.js';
import { LIBRARY_TOPIC } from '../index/topic-progress.js';
import type { Engines } from './engines.js';
import { followGeneration } from './follow-generation.js';

/** The options of `rebuild` and `use`. */
export interface ChangeOptions {
  /** Whether to wait until the generation is live. */
  readonly wait: boolean;
  readonly timeoutMs: number;
}

const REBUILD_ATTEMPTS = 10;
const SWAP_ATTEMPTS = 3;

/** Starts the next generation, or joins one that is being built, and waits until it is live unless `wait` is false. */
export async function rebuild(engines: Engines, reporter: ProgressReporter, options: ChangeOptions): Promise<void> {
  const { library, kafka } = engines;
  const topic = await topicProgress(kafka, LIBRARY_TOPIC, []);
  for (let attempt = 1; attempt <= REBUILD_ATTEMPTS; attempt += 1) {
    const state = await library.readState();
    const building = candidateOf(state, mappingHash());
    const joins = building !== undefined && isLiveOrCandidate(building, state) && !isFullyLive(building, state);
    const name = joins ? building.name : await startGeneration(library, state, topic);
    // Another process has changed the state document, so read it again.
    if (name === undefined) continue;
    reporter.say(joins ? `${name} is already being built.` : `Building ${name}.`);
    return await waitUntilLive(engines, reporter, name, options);
  }
  throw new CommandError('Other processes keep changing the generations. Run `npm run catalog -- status`.');
}

/** Swaps the aliases to an existing generation, whatever its mapping: once it has caught up, or now. */
export async function use(
  engines: Engines,
  reporter: ProgressReporter,
  name: string,
  { now, ...options }: ChangeOptions & { readonly now: boolean },
): Promise<void> {
  const { library } = engines;
  const state = await library.readState();
  if (isFullyLive(generationNamed(name, state), state)) {
    reporter.say(`${name} is live.`);
    return;
  }
  await library.choose((latest) => generationNamed(name, latest));
  if (!now) {
    await waitUntilLive(engines, reporter, name, options);
    return;
  }
  // A running instance may change the state document in between, for example to complete a generation.
  for (let attempt = 1; attempt <= SWAP_ATTEMPTS; attempt += 1) {
    const latest = await library.readState();
    if (!(await library.swapAliases(generationNamed(name, latest), latest))) continue;
    reporter.say(`${name} is live, whether it has caught up or not.`);
    return;
  }
  throw new CommandError('The generations keep changing. Run `npm run catalog -- status`.');
}

/** Removes generations that are not live. */
export async function drop(engines: Engines, reporter: ProgressReporter, names: readonly string[]): Promise<void> {
  const { library } = engines;
  const checked = (state: LibraryState) => {
    const old = names.map((name) => generationNamed(name, state));
    if (highestLive(state) === undefined) {
      throw new CommandError('Nothing is live, so nothing is removed: make a generation live first, with `use`.');
    }
    const live = old.find(({ liveFor }) => liveFor.length > 0);
    if (live) throw new CommandError(`${live.name} is live. Replace it first: \`rebuild\` or \`use\`.`);
    return old;
  };
  const removed = await library.remove(checked);
  for (const name of removed) reporter.say(`${name} is removed.`);
  const left = names.filter((name) => !removed.includes(name));
  if (left.length > 0) {
    throw new CommandError(
      `Not removed yet: ${left.join(', ')}. The aliases changed meanwhile; a running catalog instance removes the rest.`,
    );
  }
}

function generationNamed(name: string, { generations }: LibraryState): StoredGeneration {
  if (generationKey(name) === undefined) {
    throw new UsageError(`${JSON.stringify(name)} is not a generation: names look like 1a2b3c4d-2; see \`status\``);
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
  if (options.wait) await followGeneration(engines, reporter, name, options.timeoutMs);
  else reporter.say('It goes live by itself when it has caught up. To check, run `npm run catalog -- status`.');
}
