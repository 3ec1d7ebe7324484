import { createHash } from 'node:crypto';
import type { AssetType } from '@carbon/contracts';
import { mappingHash } from './revision.js';

/** The two kinds of search and their indices. */
export const KINDS = { POOL: 'pools', PROJECT: 'projects' } as const satisfies Record<AssetType, string>;

/** What searches go to: stands for the live generation's index. */
export function aliasOf(prefix: string, type: AssetType): string {
  return `${prefix}${KINDS[type]}`;
}

/**
 * One build of the library in OpenSearch: an index for the pools and one for the projects, `pools-<hash>-<n>` and
 * `projects-<hash>-<n>`, filled from the topic by a consumer group of their own.
 */
export interface Generation {
  readonly number: number;
  readonly indices: Readonly<Record<AssetType, string>>;
  /**
   * The consumer group that feeds it. Named after the indices' UUIDs, so that an index made anew under an old name is
   * read from the beginning again and not from where the lost one had got to.
   */
  readonly group: string;
}

/** The name of an index of generation `number` of this version's mapping. */
export function indexName(prefix: string, type: AssetType, number: number | '*'): string {
  return `${aliasOf(prefix, type)}-${mappingHash()}-${number}`;
}

/** The number of the generation that an index name belongs to, unless it is not one of this version's mapping. */
export function generationNumber(prefix: string, name: string): number | undefined {
  const start = `${aliasOf(prefix, 'POOL')}-${mappingHash()}-`;
  const number = name.startsWith(start) ? name.slice(start.length) : '';
  return /^[1-9][0-9]{0,8}$/.test(number) ? Number(number) : undefined;
}

/** The generation that consists of these indices. */
export function generationOf(prefix: string, number: number, uuids: Readonly<Record<AssetType, string>>): Generation {
  const identity = createHash('sha256').update(`${uuids.POOL} ${uuids.PROJECT}`).digest('hex').slice(0, 8);
  return {
    number,
    indices: { POOL: indexName(prefix, 'POOL', number), PROJECT: indexName(prefix, 'PROJECT', number) },
    group: `catalog.${prefix}${mappingHash()}-${number}.${identity}`,
  };
}
