import { createHash } from 'node:crypto';
import type { AssetType } from '@carbon/contracts';

/** The kind of search for each asset type; aliases and indices are named after it. */
export const KINDS = { POOL: 'pools', PROJECT: 'projects' } as const satisfies Record<AssetType, string>;

/** The asset types, in the order in which their indices are created. */
export const TYPES = ['POOL', 'PROJECT'] as const satisfies readonly AssetType[];

/** The alias that is searched: it points to the live generation's index. */
export function aliasOf(prefix: string, type: AssetType): string {
  return `${prefix}${KINDS[type]}`;
}

/** One value for each asset type. */
export type PerType<T> = Readonly<Record<AssetType, T>>;

/** The hash of the mapping, and a number that no other generation has. */
export interface GenerationKey {
  readonly hash: string;
  readonly number: number;
}

/**
 * One build of the library in OpenSearch: the indices `pools-<hash>-<n>` and `projects-<hash>-<n>`, filled from the topic by a
 * consumer group of their own.
 */
export interface Generation extends GenerationKey {
  /** `<hash>-<n>`. */
  readonly name: string;
  readonly indices: PerType<string>;
  /**
   * Aliases for writing, deleted with their indices. A write to the name of a deleted index would make OpenSearch create it
   * without our mapping, unless `action.auto_create_index` forbids that.
   */
  readonly writeAliases: PerType<string>;
  /**
   * The consumer group. Its name contains the indices' UUIDs, so that an index that was created again under its old name is
   * filled from the beginning of the topic.
   */
  readonly group: string;
}

/** The name of the index of one type. */
export function indexName(prefix: string, type: AssetType, { hash, number }: GenerationKey): string {
  return `${aliasOf(prefix, type)}-${hash}-${number}`;
}

/** Returns the generation and type of an index, or undefined if it is not an index of the library. */
export function indexKey(prefix: string, index: string): (GenerationKey & { readonly type: AssetType }) | undefined {
  const type = TYPES.find((one) => index.startsWith(`${aliasOf(prefix, one)}-`));
  const key = type && generationKey(index.slice(aliasOf(prefix, type).length + 1));
  return key && { ...key, type };
}

/** Parses `<hash>-<n>`. */
export function generationKey(name: string): GenerationKey | undefined {
  const [, hash, number] = /^([0-9a-f]{8})-([1-9][0-9]{0,8})$/.exec(name) ?? [];
  return hash === undefined ? undefined : { hash, number: Number(number) };
}

/** The generation of these indices; the UUID of a missing index is ''. */
export function generationOf(prefix: string, key: GenerationKey, uuids: PerType<string>): Generation {
  const { hash, number } = key;
  const identity = createHash('sha256').update(`${uuids.POOL} ${uuids.PROJECT}`).digest('hex').slice(0, 8);
  const indices = { POOL: indexName(prefix, 'POOL', key), PROJECT: indexName(prefix, 'PROJECT', key) };
  return {
    hash,
    number,
    name: `${hash}-${number}`,
    indices,
    writeAliases: { POOL: `${indices.POOL}-write`, PROJECT: `${indices.PROJECT}-write` },
    group: `catalog.${prefix}${hash}-${number}.${identity}`,
  };
}
