import { ASSET_FIELDS, type AssetField, type AssetFieldName, type AssetType, fieldsOf } from '@carbon/contracts';
import { KINDS } from '../indexing/generation.js';
import type { NameRule } from './name-list.js';

const OTHER: Readonly<Record<AssetType, AssetType>> = { POOL: 'PROJECT', PROJECT: 'POOL' };

/** The rule for names of fields of one type of asset, in the order of the field list; all of them unless `among` says which. */
export function namesFor(type: AssetType, otherwise: string, among?: readonly AssetFieldName[]): NameRule {
  const wanted = (name: AssetFieldName) => among === undefined || among.includes(name);
  const elsewhere = fieldsOf(OTHER[type]).filter((name) => wanted(name) && !fieldOf(name).on.includes(type));
  return {
    otherwise,
    known: among?.filter((name) => fieldOf(name).on.includes(type)) ?? fieldsOf(type),
    elsewhere: { names: elsewhere, resource: KINDS[OTHER[type]] },
  };
}

function fieldOf(name: AssetFieldName): AssetField {
  return ASSET_FIELDS[name];
}
