import type { AssetType } from '@carbon/contracts';
import { ANALYSIS, INDEX_FIELDS, MAPPING_REVISION, type Property, propertiesOf } from './mapping.js';
import type { LegacyMeta } from './state-document.js';

/** Shards and replicas of an index. Changing them starts no new generation. */
export interface IndexLayout {
  readonly shards: number;
  /** A number, or a range that OpenSearch adapts to the number of nodes. */
  readonly replicas: string;
}

/** The default layout. */
export const DEFAULT_LAYOUT: IndexLayout = { shards: 1, replicas: '0-1' };

/** The configured layout. */
export function layoutOf(config: {
  readonly OPENSEARCH_SHARDS: number;
  readonly OPENSEARCH_REPLICAS: string;
}): IndexLayout {
  return { shards: config.OPENSEARCH_SHARDS, replicas: config.OPENSEARCH_REPLICAS };
}

/** Dynamic settings of an index that is searched. */
export function liveIndexSettings({ replicas }: IndexLayout) {
  const isRange = replicas.includes('-');
  const copies = isRange
    ? { auto_expand_replicas: replicas }
    : { auto_expand_replicas: 'false', number_of_replicas: Number(replicas) };
  return { ...copies, refresh_interval: '1s' };
}

/** Settings of an index that is being filled: without refresh and replicas, because the topic can fill it again. */
export function rebuildIndexSettings({ shards }: IndexLayout) {
  return { number_of_shards: shards, auto_expand_replicas: 'false', number_of_replicas: 0, refresh_interval: '-1' };
}

/** How long OpenSearch keeps the version of a deleted document, so that an older write cannot restore it. */
export const GC_DELETES_MS = 60 * 60 * 1000;

/** The body of the request that creates the index of one asset type. */
export function indexBody(
  type: AssetType,
  settings: Property = { ...liveIndexSettings(DEFAULT_LAYOUT), number_of_shards: DEFAULT_LAYOUT.shards },
  meta: LegacyMeta = { revision: MAPPING_REVISION },
): Property {
  return {
    settings: { ...settings, gc_deletes: `${GC_DELETES_MS}ms`, analysis: ANALYSIS },
    mappings: {
      dynamic: 'strict',
      _meta: meta,
      _source: { excludes: [INDEX_FIELDS.indexedAt] },
      properties: propertiesOf(type),
    },
  };
}
