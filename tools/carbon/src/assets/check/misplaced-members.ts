import { ASSET_FIELDS, type Asset, type AssetField, type AssetType } from '@carbon/contracts';

const PLURAL: Readonly<Record<AssetType, string>> = { POOL: 'pools', PROJECT: 'projects' };
const FIELDS = Object.entries<AssetField>(ASSET_FIELDS);
const MISPLACED: Readonly<Record<AssetType, readonly (readonly [string, AssetField])[]>> = {
  POOL: FIELDS.filter(([, { on }]) => !on.includes('POOL')),
  PROJECT: FIELDS.filter(([, { on }]) => !on.includes('PROJECT')),
};

/**
 * Members that assets of the other type have. Readers of the library pass over them; who publishes one would wait in vain
 * to find the asset by it.
 */
export function misplacedMembers(asset: Asset): string[] {
  return MISPLACED[asset.type]
    .filter(([name]) => name in asset)
    .map(([name, { on }]) => `${name} is a field of ${on.map((type) => PLURAL[type]).join(' and ')}; leave it out`);
}
