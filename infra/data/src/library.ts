import { ASSET_FIELDS, type Asset, assetSchema } from '@carbon/contracts';
import { categoryNames } from './names.js';
import { tokenisedProjectAsset } from './projects.js';
import { removalProposalAssets } from './removal-proposals.js';
import { type CreditRow, type PoolRow, readSources } from './sources.js';
import { syntheticPoolSupply, syntheticPrice, syntheticRating } from './synthetic.js';

/** Returns the starter library: every asset of the sources, ordered by id. Throws if one is not a valid asset. */
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

/**
 * Returns one asset a line, with members in the order of the field list, so that the same sources always give the same
 * bytes.
 */
export function renderLibrary(assets: readonly Asset[]): string {
  const [first, ...others] = Object.keys(ASSET_FIELDS);
  const order = [first, 'type', ...others].filter((name) => name !== undefined);
  return assets.map((asset) => `${JSON.stringify(asset, order)}\n`).join('');
}

/** Returns the pool as an asset, with its Polygon token, or else its first one. */
export function poolAsset(row: PoolRow): Asset {
  const id = `pool_${row.ticker.toLowerCase()}`;
  const { registries = [], categories = [] } = row.eligibility;
  const token = row.tokens.find(({ chain }) => chain === 'polygon') ?? row.tokens[0];
  return {
    id,
    type: 'POOL',
    ticker: row.ticker,
    ...(token && { address: token.address, chain: token.chain }),
    source: row.source,
    name: row.name,
    description: row.note,
    rating: syntheticRating(id),
    price: syntheticPrice(id, categories),
    issued: syntheticPoolSupply(id),
    active: true,
    // A pool that accepts credits of several registries belongs to none of them.
    ...(registries.length === 1 && { registry: registries[0] }),
    ...(categories.length > 0 && { categories: categoryNames(categories) }),
  };
}
