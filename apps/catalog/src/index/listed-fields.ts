import { ASSET_FIELDS, type AssetField, type AssetFieldName } from '@carbon/contracts';

const LISTED: ReadonlySet<AssetField['type']> = new Set(['keyword', 'boolean', 'integer']);

/** Fields in which nearly every asset has a different value, so that a list of the most frequent ones is useless. */
const UNIQUE: ReadonlySet<AssetFieldName> = new Set(['id', 'registryId', 'address']);

/** Returns whether the most frequent values of a field tell something about the library. */
export function isListed(name: AssetFieldName): boolean {
  return LISTED.has(ASSET_FIELDS[name].type) && !UNIQUE.has(name);
}

/** The part of the index that has the values of a field as they were published: a keyword field itself is folded. */
export function publishedValues(name: AssetFieldName): string {
  return ASSET_FIELDS[name].type === 'keyword' ? `${name}.raw` : name;
}
