import type { AssetType } from '@carbon/contracts';
import { ANALYSIS } from './analysis.js';
import type { GenerationMeta } from './library-state.js';
import { INDEX_FIELDS, type Property, propertiesOf } from './mapping.js';
import { MAPPING_REVISION } from './revision.js';

/** How long OpenSearch remembers the version of a deleted document, in ms: so long an older write cannot bring it back. */
export const GC_DELETES_MS = 60 * 60 * 1000;

/** Settings of an index that is searched. */
export const SEARCHED = { auto_expand_replicas: '0-1', refresh_interval: '1s' } as const;

/** Settings of an index that is being filled, unseen: no refresh, no copy; it can be filled again from the topic. */
export const FILLED = { auto_expand_replicas: 'false', number_of_replicas: 0, refresh_interval: '-1' } as const;

/** The body that creates the index of one asset type. */
export function indexBody(
  type: AssetType,
  settings: Property = SEARCHED,
  meta: GenerationMeta = { revision: MAPPING_REVISION },
): Property {
  return {
    settings: { number_of_shards: 1, ...settings, gc_deletes: `${GC_DELETES_MS}ms`, analysis: ANALYSIS },
    mappings: {
      dynamic: 'strict',
      _meta: meta,
      _source: { excludes: [INDEX_FIELDS.indexedAt] },
      properties: propertiesOf(type),
    },
  };
}
