import { ASSET_FIELDS, type Asset, assetSchema } from '@carbon/contracts';
import { poolAsset } from './pools.js';
import { removalProposalAssets } from './removal-proposals.js';
import { type CreditRow, readSources } from './sources.js';
import { tokenisedProjectAsset } from './tokenised-projects.js';

/** The library to start with: every asset the sources yield, by id. Throws where one is not a valid asset. */
export function buildLibrary(): Asset[] {
  const { pools, credits, projects, proposals } = readSources();
  const creditsOf = Map.groupBy(credits, (credit: CreditRow) => credit.project_id);
  const assets = [
    ...pools.map(poolAsset),
    ...projects.map((row) => tokenisedProjectAsset(row, creditsOf.get(row.project_id) ?? [])),
    ...removalProposalAssets(proposals),
  ];
  return assets.map((asset) => assetSchema.parse(asset)).sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** One asset a line, members in the order of the field list, so that the same sources always give the same bytes. */
export function renderLibrary(assets: readonly Asset[]): string {
  const [first, ...others] = Object.keys(ASSET_FIELDS);
  const order = [first, 'type', ...others].filter((name) => name !== undefined);
  return assets.map((asset) => `${JSON.stringify(asset, order)}\n`).join('');
}
