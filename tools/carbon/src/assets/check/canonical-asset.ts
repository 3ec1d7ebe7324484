import { type Asset, assetSchema } from '@carbon/contracts';

const MEMBERS = Object.keys(assetSchema.shape).sort() as (keyof Asset)[];

/**
 * The canonical JSON (RFC 8785) of an asset: equal assets are equal bytes. An asset is flat and its texts are well formed,
 * so JSON in the order of the members is canonical already, and many times sooner made than that of any JSON value.
 */
export function canonicalAsset(asset: Asset): string {
  const ordered: Record<string, unknown> = {};
  for (const name of MEMBERS) if (asset[name] !== undefined) ordered[name] = asset[name];
  return JSON.stringify(ordered);
}
