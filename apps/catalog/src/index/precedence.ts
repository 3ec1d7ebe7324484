import { TYPES } from './generation.js';
import type { LibraryState, StoredGeneration } from './library-state.js';
import type { GenerationRecord, StateDocument, StoredTopicSnapshot } from './state-document.js';

/** The mapping of this process. */
export interface OwnMapping {
  readonly hash: string;
  readonly revision: number;
}

/** Compares two generations by precedence. Only generations of the previous release can have the same precedence: then the higher revision wins. */
export function compareGenerations(one: StoredGeneration, other: StoredGeneration): number {
  return (
    one.precedence - other.precedence ||
    one.revision - other.revision ||
    one.number - other.number ||
    (one.hash < other.hash ? -1 : Number(one.hash > other.hash))
  );
}

/** Returns whether both indices of a generation exist. */
export function isComplete({ existingTypes }: StoredGeneration): boolean {
  return existingTypes.length === TYPES.length;
}

/** Returns the generation with the highest precedence among those that an alias points to. */
export function highestLive({ generations }: LibraryState): StoredGeneration | undefined {
  return highestGeneration(generations.filter(({ liveFor }) => liveFor.length > 0));
}

/** Returns whether both aliases point to this generation only. */
export function isFullyLive(one: StoredGeneration, { generations, foreignIndices }: LibraryState): boolean {
  const others = generations.filter(({ name, liveFor }) => name !== one.name && liveFor.length > 0);
  return (
    one.liveFor.length === TYPES.length &&
    others.length === 0 &&
    TYPES.every((type) => foreignIndices[type].length === 0)
  );
}

/** Returns whether both aliases exist, so that searches are answered. */
export function canBeSearched({ generations, foreignIndices }: LibraryState): boolean {
  return TYPES.every(
    (type) => foreignIndices[type].length > 0 || generations.some(({ liveFor }) => liveFor.includes(type)),
  );
}

/** Returns the generation of this mapping that has the highest precedence, superseded or not. */
export function candidateOf({ generations }: LibraryState, hash: string): StoredGeneration | undefined {
  return highestGeneration(generations.filter((one) => one.hash === hash));
}

/**
 * Returns whether the aliases may be swapped to a generation: only from generations of lower precedence, so that no process swaps
 * them back.
 */
export function mayCutOver(one: StoredGeneration, state: LibraryState): boolean {
  const live = highestLive(state);
  return isComplete(one) && (live === undefined || compareGenerations(one, live) >= 0);
}

/**
 * Returns whether an instance of this mapping starts a generation automatically: if no live or candidate generation has its
 * mapping, and its revision is higher than theirs and than any revision that an operator replaced.
 */
export function mayStart(state: LibraryState, own: OwnMapping): boolean {
  const running = liveAndCandidates(state);
  return running.every(({ hash }) => hash !== own.hash) && own.revision > highestRevision(running);
}

/** Returns whether a generation of higher revision and precedence is live or a candidate: it must not be replaced automatically. */
export function isOutranked(one: StoredGeneration, state: LibraryState): boolean {
  return liveAndCandidates(state).some((other) => other.revision > one.revision && compareGenerations(other, one) > 0);
}

/** Returns whether a generation is live or may become live: not superseded, and not of lower precedence than the live one. */
export function isLiveOrCandidate(one: StoredGeneration, state: LibraryState): boolean {
  const live = highestLive(state);
  return one.supersededAt === undefined && (live === undefined || compareGenerations(one, live) >= 0);
}

/** Returns whether a generation may be removed: it is not live, and another generation is. */
export function mayBeDropped({ liveFor }: StoredGeneration, state: LibraryState): boolean {
  return liveFor.length === 0 && highestLive(state) !== undefined;
}

/** Returns the generations that the live one has superseded, but that are not yet recorded as superseded. */
export function newlySupersededGenerations(state: LibraryState): StoredGeneration[] {
  const live = highestLive(state);
  if (live === undefined || !isFullyLive(live, state)) return [];
  return state.generations.filter((one) => compareGenerations(one, live) < 0 && one.supersededAt === undefined);
}

/** Returns the generations that were superseded more than `retentionMs` ago. */
export function expiredGenerations(state: LibraryState, now: number, retentionMs: number): StoredGeneration[] {
  const live = highestLive(state);
  if (live === undefined || !isFullyLive(live, state)) return [];
  return state.generations.filter(({ name, supersededAt }) => {
    return name !== live.name && supersededAt !== undefined && Date.parse(supersededAt) + retentionMs <= now;
  });
}

/**
 * Returns the document with a new generation, which has the highest precedence. An operator may start one even though a
 * generation with a higher revision exists.
 */
export function withNewGeneration(
  state: LibraryState,
  own: OwnMapping,
  topic: StoredTopicSnapshot,
): { readonly document: StateDocument; readonly record: GenerationRecord } {
  const number = state.document.lastNumber + 1;
  const over = highestRevision(liveAndCandidates(state));
  const record = {
    name: `${own.hash}-${number}`,
    revision: own.revision,
    precedence: number,
    ...(over > own.revision && { overRevision: over }),
    topic,
  };
  const generations = [...state.document.generations, record];
  return { document: { lastNumber: number, generations }, record };
}

/**
 * Returns the document with a generation chosen by an operator: it gets the highest precedence and is not superseded.
 */
export function withChosen(one: StoredGeneration, state: LibraryState): StateDocument {
  const precedence = state.document.lastNumber + 1;
  const over = highestRevision([...liveAndCandidates(state), one]);
  const document = withRecord(state.document, one.name, ({ supersededAt: _, ...record }) => {
    return { ...record, precedence, ...(over > record.revision && { overRevision: over }) };
  });
  return { ...document, lastNumber: precedence };
}

/** Returns the document with one record changed. */
export function withRecord(
  document: StateDocument,
  name: string,
  change: (record: GenerationRecord) => GenerationRecord,
): StateDocument {
  return { ...document, generations: document.generations.map((one) => (one.name === name ? change(one) : one)) };
}

/** Returns the document with a generation marked as being removed. */
export function withRemoving(document: StateDocument, name: string): StateDocument {
  return withRecord(document, name, (record) => ({ ...record, isRemoving: true }));
}

/** Returns the document without generations that are gone: removed by us, or superseded and deleted by an operator. Undefined if none is gone. */
export function withoutDeletedGenerations({
  generations,
  removing,
  document,
}: LibraryState): StateDocument | undefined {
  const gone = [...removing, ...generations.filter(({ supersededAt }) => supersededAt)].filter(
    ({ existingTypes }) => !existingTypes.length,
  );
  if (gone.length === 0) return undefined;
  const names = new Set(gone.map(({ name }) => name));
  return { ...document, generations: document.generations.filter(({ name }) => !names.has(name)) };
}

function liveAndCandidates(state: LibraryState): StoredGeneration[] {
  return state.generations.filter((one) => isLiveOrCandidate(one, state));
}

function highestRevision(generations: readonly StoredGeneration[]): number {
  return Math.max(0, ...generations.map(({ revision, overRevision = 0 }) => Math.max(revision, overRevision)));
}

function highestGeneration(generations: readonly StoredGeneration[]): StoredGeneration | undefined {
  return [...generations].sort(compareGenerations).at(-1);
}
