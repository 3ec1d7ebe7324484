import { aliasOf, type Generation, TYPES } from './generation.js';
import type { LibraryState, StoredGeneration } from './library-state.js';
import { retirementAlias } from './library-state.js';
import { frontOf, precedenceOf } from './precedence.js';

// All of a call's actions happen at one moment, or none does.

/**
 * Moves both aliases to `next`. Each is taken from what it was seen to stand for, and must stand there still: who has
 * looked long ago fails, rather than take the aliases back.
 */
export function aliasSwapActions(prefix: string, next: StoredGeneration, state: LibraryState): object[] {
  return TYPES.flatMap((type) => {
    const alias = aliasOf(prefix, type);
    const others = state.generations.filter(({ name, liveFor }) => name !== next.name && liveFor.includes(type));
    const behind = [...others.map(({ indices }) => indices[type]), ...state.strangers[type]];
    return [
      ...behind.map((index) => ({ remove: { index, alias, must_exist: true } })),
      { add: { index: next.indices[type], alias } },
    ];
  });
}

/**
 * Leaves each alias that stands for several generations to the foremost: two that went live at once, while there was
 * nothing to take the aliases from.
 */
export function sharedAliasActions(prefix: string, state: LibraryState): object[] {
  const front = frontOf(state);
  return TYPES.flatMap((type) => {
    const alias = aliasOf(prefix, type);
    const behind = state.generations.filter(({ name, liveFor }) => liveFor.includes(type) && name !== front?.name);
    if (!front?.liveFor.includes(type)) return [];
    return behind.map(({ indices }) => ({ remove: { index: indices[type], alias, must_exist: false } }));
  });
}

/** Gives a generation its write aliases. */
export function allowWritesActions({ indices, writeAliases }: Generation): object[] {
  return TYPES.map((type) => ({ add: { index: indices[type], alias: writeAliases[type] } }));
}

/** Writes down that `live` has taken the place of `old`, provided that it is live at that very moment, as below. */
export function retireActions(prefix: string, old: StoredGeneration, live: StoredGeneration, at: Date): object[] {
  const alias = retirementAlias(prefix, { turn: precedenceOf(old), at });
  return [...proofs(prefix, live), ...old.has.map((type) => ({ add: { index: old.indices[type], alias } }))];
}

/**
 * Removes the indices of `old`, provided that `live` is live at that very moment: taking its alias fails where it is not,
 * and is undone in the same call. So nobody removes what was chosen again meanwhile.
 */
export function removeActions(prefix: string, old: StoredGeneration, live: StoredGeneration): object[] {
  return [...proofs(prefix, live), ...old.has.map((type) => ({ remove_index: { index: old.indices[type] } }))];
}

function proofs(prefix: string, live: StoredGeneration): object[] {
  return live.liveFor.flatMap((type) => {
    const place = { index: live.indices[type], alias: aliasOf(prefix, type) };
    return [{ remove: { ...place, must_exist: true } }, { add: place }];
  });
}
