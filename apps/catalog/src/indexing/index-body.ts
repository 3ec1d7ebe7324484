import type { AssetType } from '@carbon/contracts';
import { ANALYSIS } from './analysis.js';
import { INDEX_FIELDS, type Property, propertiesOf } from './mapping.js';
import { MAPPING_REVISION } from './revision.js';

/** How long OpenSearch remembers the version of a deleted document, in ms: so long an older write cannot bring it back. */
export const GC_DELETES_MS = 60 * 60 * 1000;

/** The body that creates the index of one asset type. */
export function indexBody(type: AssetType): Property {
  return {
    settings: {
      number_of_shards: 1,
      auto_expand_replicas: '0-1',
      refresh_interval: '1s',
      gc_deletes: `${GC_DELETES_MS}ms`,
      analysis: ANALYSIS,
    },
    mappings: {
      dynamic: 'strict',
      _meta: { revision: MAPPING_REVISION },
      _source: { excludes: [INDEX_FIELDS.indexedAt] },
      properties: propertiesOf(type),
    },
  };
}
