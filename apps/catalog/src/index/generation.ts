import { createHash } from 'node:crypto';
import type { AssetType } from '@carbon/contracts';

/** The two kinds of search and their indices. */
export const KINDS = { POOL: 'pools', PROJECT: 'projects' } as const satisfies Record<AssetType, string>;

/** The asset types, in the order in which their indices are made. */
export const TYPES = ['POOL', 'PROJECT'] as const satisfies readonly AssetType[];

/** What searches go to: stands for the live generation's index. */
export function aliasOf(prefix: string, type: AssetType): string {
  return `${prefix}${KINDS[type]}`;
}

/** One of each for both asset types. */
export type PerType<T> = Readonly<Record<AssetType, T>>;

/** What names a generation: the hash of its mapping, and its number. Numbers are given once, whatever the mapping. */
export interface GenerationKey {
  readonly hash: string;
  readonly number: number;
}

/**
 * One build of the library in OpenSearch: an index for the pools and one for the projects, `pools-<hash>-<n>` and
 * `projects-<hash>-<n>`, filled from the topic by a consumer group of their own.
 */
export interface Generation extends GenerationKey {
  /** What people call it: `<hash>-<n>`. */
  readonly name: string;
  readonly indices: PerType<string>;
  /**
   * What is written to: an alias of each index, which goes with it. A write to the name of a lost index would make OpenSearch
   * create it, without our mapping, unless its `action.auto_create_index` forbids that.
   */
  readonly writeAliases: PerType<string>;
  /**
   * The consumer group that feeds it. Named after the indices' UUIDs, so that an index made anew under an old name is
   * read from the beginning again and not from where the lost one had got to.
   */
  readonly group: string;
}

/** The name of the index of one type. */
export function indexName(prefix: string, type: AssetType, { hash, number }: GenerationKey): string {
  return `${aliasOf(prefix, type)}-${hash}-${number}`;
}

/** Which generation an index belongs to, and for which type; undefined when it is none of the library's. */
export function indexKey(prefix: string, index: string): (GenerationKey & { readonly type: AssetType }) | undefined {
  const type = TYPES.find((one) => index.startsWith(`${aliasOf(prefix, one)}-`));
  const key = type && generationKey(index.slice(aliasOf(prefix, type).length + 1));
  return key && { ...key, type };
}

/** Reads `<hash>-<n>`. */
export function generationKey(name: string): GenerationKey | undefined {
  const [, hash, number] = /^([0-9a-f]{8})-([1-9][0-9]{0,8})$/.exec(name) ?? [];
  return hash === undefined ? undefined : { hash, number: Number(number) };
}

/** The generation that consists of these indices; '' for the UUID of one that does not stand. */
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
