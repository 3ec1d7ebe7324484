import type { Generation } from './generation.js';

/** An index that an alias of the library stands for. */
export interface LiveIndex {
  readonly index: string;
  readonly aliases: readonly string[];
  /** Of its mapping; see MAPPING_REVISION. */
  readonly revision: number;
}

/**
 * Whether a generation may take the aliases: when there is no live one, when it is itself live, when it is a newer build of
 * the same mapping, or when its mapping's revision is higher. So two versions running side by side never take them from
 * each other in turns.
 */
export function mayGoLive(own: Generation, revision: number, live: readonly LiveIndex[]): boolean {
  return live.every((other) => revision > other.revision || isNoNewerBuild(other.index, own));
}

/** The changes to one alias, for a call that makes all of them or none. */
export function aliasActions(alias: string, index: string, live: readonly LiveIndex[]): object[] {
  const others = live.filter((other) => other.index !== index && other.aliases.includes(alias));
  return [...others.map((other) => ({ remove: { index: other.index, alias } })), { add: { index, alias } }];
}

/**
 * The changes that take each alias from all but the highest revision it stands for. One that is gone already is no fault:
 * several instances may look at the same time.
 */
export function supersededActions(aliases: readonly string[], live: readonly LiveIndex[]): object[] {
  return aliases.flatMap((alias) => {
    const behind = live.filter((one) => one.aliases.includes(alias));
    const highest = Math.max(...behind.map(({ revision }) => revision));
    return behind
      .filter(({ revision }) => revision < highest)
      .map(({ index }) => ({ remove: { index, alias, must_exist: false } }));
  });
}

function isNoNewerBuild(index: string, own: Generation): boolean {
  return Object.values(own.indices).some((name) => {
    const mapping = name.slice(0, name.lastIndexOf('-') + 1);
    return index.startsWith(mapping) && Number(index.slice(mapping.length)) <= own.number;
  });
}
