import type { Asset } from '@carbon/contracts';
import { inventedPoolSupply, inventedPrice, inventedRating } from './invented.js';
import type { PoolRow } from './sources.js';

/** The pool as an asset: its Polygon token, or the first listed where it has none there. */
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
    rating: inventedRating(id),
    price: inventedPrice(id, categories),
    issued: inventedPoolSupply(id),
    active: true,
    // A pool that takes credits of several registries belongs to none of them.
    ...(registries.length === 1 && { registry: registries[0] }),
    ...(categories.length > 0 && { categories }),
  };
}
