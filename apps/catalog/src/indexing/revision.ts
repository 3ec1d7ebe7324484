import { hashOf } from '@carbon/contracts';
import { schemaOfIndices } from './mapping.js';

/**
 * Raised with every change of the mapping or the analysis (a spec holds both together). Kept in the index's `_meta`:
 * of two versions of this service running side by side, the lower revision never takes the aliases from the higher.
 */
export const MAPPING_REVISION = 4;

/** Names the mapping: the same in every instance of one version of this service. */
export function mappingHash(): string {
  return hashOf(schemaOfIndices()).slice(0, 8);
}
