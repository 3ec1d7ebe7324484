import { type GenerationKey, TYPES } from './generation.js';
import type { LibraryState, StoredGeneration } from './library-state.js';

/** The mapping that a process knows. */
export interface OwnMapping {
  readonly hash: string;
  readonly revision: number;
}

/**
 * Which of two generations is to be live, as a number for sorting: the one whose turn came later, else (two mappings
 * begun at once) the higher revision. The rest only makes sure that everybody finds the same.
 */
export function compareGenerations(one: StoredGeneration, other: StoredGeneration): number {
  return (
    precedenceOf(one) - precedenceOf(other) ||
    one.meta.revision - other.meta.revision ||
    one.number - other.number ||
    (one.hash < other.hash ? -1 : Number(one.hash > other.hash))
  );
}

/** Whether both its indices are there. */
export function isComplete({ has }: StoredGeneration): boolean {
  return has.length === TYPES.length;
}

/** The foremost generation that an alias stands for. */
export function frontOf({ generations }: LibraryState): StoredGeneration | undefined {
  return foremost(generations.filter(({ liveFor }) => liveFor.length > 0));
}

/** Whether both aliases stand for this generation and for nothing else. */
export function isWhollyLive(one: StoredGeneration, { generations, strangers }: LibraryState): boolean {
  const others = generations.filter(({ name, liveFor }) => name !== one.name && liveFor.length > 0);
  return (
    one.liveFor.length === TYPES.length && others.length === 0 && TYPES.every((type) => strangers[type].length === 0)
  );
}

/** Whether each alias stands for something, so that searches are answered. */
export function canBeSearched({ generations, strangers }: LibraryState): boolean {
  return TYPES.every((type) => strangers[type].length > 0 || generations.some(({ liveFor }) => liveFor.includes(type)));
}

/** The foremost generation of this mapping: the one that is live, or is to be when it has caught up. */
export function candidateOf({ generations }: LibraryState, hash: string): StoredGeneration | undefined {
  return foremost(generations.filter((one) => one.hash === hash));
}

/** Whether it may take the aliases: only from generations behind it, so nobody ever takes them back. */
export function mayCutOver(one: StoredGeneration, state: LibraryState): boolean {
  const front = frontOf(state);
  return isComplete(one) && (front === undefined || compareGenerations(one, front) >= 0);
}

/**
 * Whether an instance of this mapping begins a generation by itself: when none of its own is live or on its way, and its
 * revision is higher than that of every generation that is, or than a person has put that one over.
 */
export function mayBegin(state: LibraryState, own: OwnMapping): boolean {
  const running = liveAndCandidates(state);
  return running.every(({ hash }) => hash !== own.hash) && own.revision > claimOf(running);
}

/** A generation to be made. */
export interface Beginning extends GenerationKey {
  readonly over?: number;
}

/** The generation that comes next, ahead of all that stand, and over all revisions that a person has not put away. */
export function nextGeneration(state: LibraryState, own: OwnMapping): Beginning {
  const over = claimOf(liveAndCandidates(state));
  return { hash: own.hash, number: highestPrecedence(state) + 1, ...(over > own.revision && { over }) };
}

/** What brings a generation that stands ahead of all others, and by its new turn out of retirement. */
export function chosen(one: StoredGeneration, state: LibraryState): StoredGeneration['meta'] {
  const { meta } = one;
  const over = claimOf([...liveAndCandidates(state), one]);
  return { ...meta, turn: highestPrecedence(state) + 1, ...(over > meta.revision && { over }) };
}

/** Whether it may be removed: it is not live, and another generation is, so that searches keep what they see. */
export function mayBeDropped({ liveFor }: StoredGeneration, state: LibraryState): boolean {
  return liveFor.length === 0 && frontOf(state) !== undefined;
}

/** Generations whose place another one has taken, and that do not say so yet. */
export function superseded(state: LibraryState): StoredGeneration[] {
  const front = frontOf(state);
  if (front === undefined || !isWhollyLive(front, state)) return [];
  return state.generations.filter((one) => compareGenerations(one, front) < 0 && retiredAt(one) === undefined);
}

/** Generations that were superseded longer than `keptMs` ago. */
export function outlived(state: LibraryState, now: number, keptMs: number): StoredGeneration[] {
  const front = frontOf(state);
  if (front === undefined || !isWhollyLive(front, state)) return [];
  return state.generations.filter((one) => {
    const at = retiredAt(one);
    return one.name !== front.name && at !== undefined && at.getTime() + keptMs <= now;
  });
}

/** Since when another has its place. Who was chosen again since has another turn, and is not retired. */
export function retiredAt(one: StoredGeneration): Date | undefined {
  const seen = one.retirements.filter(({ turn }) => turn === precedenceOf(one)).map(({ at }) => at.getTime());
  return seen.length === 0 ? undefined : new Date(Math.min(...seen));
}

/** Whether it is live or may yet be: not retired, and behind none that is. */
export function isLiveOrCandidate(one: StoredGeneration, state: LibraryState): boolean {
  const front = frontOf(state);
  return retiredAt(one) === undefined && (front === undefined || compareGenerations(one, front) >= 0);
}

function liveAndCandidates(state: LibraryState): StoredGeneration[] {
  return state.generations.filter((one) => isLiveOrCandidate(one, state));
}

function claimOf(generations: readonly StoredGeneration[]): number {
  return Math.max(0, ...generations.map(({ meta: { revision, over = 0 } }) => Math.max(revision, over)));
}

/** Its place in the order. */
export function precedenceOf({ number, meta }: StoredGeneration): number {
  return meta.turn ?? number;
}

function highestPrecedence({ generations }: LibraryState): number {
  return Math.max(0, ...generations.flatMap((one) => [precedenceOf(one), one.number]));
}

function foremost(generations: readonly StoredGeneration[]): StoredGeneration | undefined {
  return [...generations].sort(compareGenerations).at(-1);
}
