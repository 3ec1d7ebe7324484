// Made by `npm run generate` from libs/contracts/src/asset.ts.

/** The fields of pools, and how criteria treat each. `words` is text that is found by its words only. */
export const POOL_FIELDS = {
  id: 'keyword',
  ticker: 'keyword',
  address: 'address',
  source: 'keyword',
  name: 'text',
  description: 'words',
  rating: 'number',
  price: 'number',
  issued: 'number',
  active: 'boolean',
  chain: 'keyword',
  registry: 'keyword',
  registryId: 'keyword',
  categories: 'keyword',
  methodologies: 'keyword',
  vintages: 'integer',
  sdgs: 'integer',
  listedAt: 'date',
} as const;

/** The fields of projects, and how criteria treat each. `words` is text that is found by its words only. */
export const PROJECT_FIELDS = {
  id: 'keyword',
  ticker: 'keyword',
  address: 'address',
  source: 'keyword',
  name: 'text',
  description: 'words',
  rating: 'number',
  price: 'number',
  issued: 'number',
  active: 'boolean',
  chain: 'keyword',
  registry: 'keyword',
  registryId: 'keyword',
  country: 'keyword',
  region: 'keyword',
  categories: 'keyword',
  methodologies: 'keyword',
  vintages: 'integer',
  sdgs: 'integer',
  listedAt: 'date',
} as const;

/** The fields of a found asset unless a search requests others. */
export type ResultField = 'ticker' | 'address' | 'source' | 'description' | 'rating' | 'name';

/** What assets can be ordered by, where they have it. */
export type SortableField = 'id' | 'ticker' | 'source' | 'name' | 'rating' | 'price' | 'issued' | 'listedAt' | 'country' | 'region' | 'registry';
