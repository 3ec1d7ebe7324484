import type { AssetType } from '@carbon/contracts';
import { ANALYSIS } from './analysis.js';
import { DEFAULT_LAYOUT, searchedSettings } from './index-layout.js';
import type { GenerationMeta } from './library-state.js';
import { INDEX_FIELDS, type Property, propertiesOf } from './mapping.js';
import { MAPPING_REVISION } from './revision.js';

/** How long OpenSearch remembers the version of a deleted document, in ms: so long an older write cannot bring it back. */
export const GC_DELETES_MS = 60 * 60 * 1000;

/** The body that creates the index of one asset type. */
export function indexBody(
  type: AssetType,
  settings: Property = { ...searchedSettings(DEFAULT_LAYOUT), number_of_shards: DEFAULT_LAYOUT.shards },
  meta: GenerationMeta = { revision: MAPPING_REVISION },
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
