import { z } from 'zod';
import { assetTime } from './asset-time.js';
import { hasDecimals } from './quantity.js';
import { plainText } from './text.js';

/** How criteria and the index treat a field. `text` with `exact` can also be matched as a whole. */
export type AssetFieldType = 'keyword' | 'text' | 'number' | 'integer' | 'date' | 'boolean' | 'address';
/** The two kinds of asset: a pool of credits, or one project. */
export type AssetType = 'POOL' | 'PROJECT';

/** One row of the field list: what `criteria` may name, what the index maps; `description` is for people. */
export interface AssetField {
  readonly type: AssetFieldType;
  readonly on: readonly AssetType[];
  readonly description: string;
  readonly multi?: true;
  readonly exact?: true;
}

const BOTH = ['POOL', 'PROJECT'] as const;
const PROJECTS = ['PROJECT'] as const;

/** The field list of the asset library. Everything that names asset fields is derived from it. */
export const ASSET_FIELDS = {
  id: { type: 'keyword', on: BOTH, description: 'id of the asset, pool_… or proj_…' },
  ticker: { type: 'keyword', on: BOTH, description: 'short symbol' },
  address: { type: 'address', on: BOTH, description: 'token address, 0x and hexadecimal digits' },
  source: { type: 'keyword', on: BOTH, description: 'where the asset comes from, an upper-case word' },
  name: { type: 'text', on: BOTH, exact: true, description: 'display name' },
  description: { type: 'text', on: BOTH, description: 'free text' },
  rating: { type: 'number', on: BOTH, description: 'rating, 0 to 5 in the library that comes with the service' },
  price: { type: 'number', on: BOTH, description: 'US dollars per credit' },
  issued: { type: 'number', on: BOTH, description: 'credits (tonnes) put into the library so far' },
  active: { type: 'boolean', on: BOTH, description: 'may be retired from' },
  chain: { type: 'keyword', on: BOTH, description: 'chain of the address' },
  registry: { type: 'keyword', on: BOTH, description: "registry's name" },
  registryId: { type: 'keyword', on: BOTH, description: 'id in that registry' },
  country: { type: 'keyword', on: PROJECTS, description: 'country of the project' },
  region: { type: 'keyword', on: PROJECTS, description: 'region of the project' },
  categories: { type: 'keyword', on: BOTH, multi: true, description: 'kinds of project' },
  methodologies: { type: 'keyword', on: BOTH, multi: true, description: 'methodologies of the registry' },
  vintages: {
    type: 'integer',
    on: BOTH,
    multi: true,
    description: 'years in which the removal or avoidance took place',
  },
  sdgs: { type: 'integer', on: BOTH, multi: true, description: 'Sustainable Development Goals, 1 to 17' },
  listedAt: { type: 'date', on: BOTH, description: 'when the asset entered the library' },
} as const satisfies Record<string, AssetField>;

/** A name of {@link ASSET_FIELDS}. */
export type AssetFieldName = keyof typeof ASSET_FIELDS;

/** The names of the fields that an asset of this type has, in the order of the field list. */
export function fieldsOf(type: AssetType): readonly AssetFieldName[] {
  return FIELDS[type];
}

/** Worked out once: it is asked for every asset that is written. */
const FIELDS: Readonly<Record<AssetType, readonly AssetFieldName[]>> = {
  POOL: namesOn('POOL'),
  PROJECT: namesOn('PROJECT'),
};

function namesOn(type: AssetType): AssetFieldName[] {
  return Object.entries<AssetField>(ASSET_FIELDS)
    .filter(([, field]) => field.on.includes(type))
    .map(([name]) => name as AssetFieldName);
}

/** The fields of a search result unless a client asks for others. */
export const RESULT_FIELDS = ['ticker', 'address', 'source', 'description', 'rating', 'name'] as const;

/** 2^33: up to here neighbouring doubles lie less than a gram apart, so a JSON number of credits is exact to the gram. */
export const MAX_ISSUED_CREDITS = 8_589_934_592;
/** US dollars per credit. */
export const MAX_PRICE_USD = 1_000_000;

const text = plainText(1, 256);
const texts = z.array(text).max(100);
const SOURCE = /^[A-Z][A-Z0-9_]*$/;

/** Text that has the form of an asset's id. */
export const assetIdSchema = z
  .string()
  .regex(/^(pool|proj)_[a-z0-9_-]{1,64}$/, 'must be pool_… or proj_… with 1 to 64 of a-z 0-9 _ -');

/**
 * One asset as it stands on the topic `asset.published`. Unknown members are dropped (a newer writer may add some);
 * what is unknown is absent, never null.
 */
export const assetSchema = z
  .object({
    id: assetIdSchema,
    type: z.enum(['POOL', 'PROJECT']),
    source: text.regex(SOURCE, 'must be an upper-case word: A-Z, then A-Z 0-9 _').meta({ pattern: SOURCE.source }),
    name: plainText(1, 512),
    ticker: text.optional(),
    address: z
      .string()
      .regex(/^0x[0-9a-fA-F]{1,64}$/, 'must be 0x and 1 to 64 hexadecimal digits')
      .optional(),
    description: plainText(1, 10_000).optional(),
    rating: z.number().optional(),
    price: z
      .number()
      .min(0)
      .max(MAX_PRICE_USD)
      .refine((price) => hasDecimals(price, 6), { error: 'must have at most 6 decimals' })
      .optional(),
    issued: z
      .number()
      .min(0)
      .max(MAX_ISSUED_CREDITS)
      .refine((credits) => hasDecimals(credits, 6), { error: 'must be whole grams: at most 6 decimals' })
      .optional(),
    active: z.boolean().optional(),
    chain: text.optional(),
    registry: text.optional(),
    registryId: text.optional(),
    country: text.optional(),
    region: text.optional(),
    categories: texts.optional(),
    methodologies: texts.optional(),
    vintages: z.array(z.int32()).max(100).optional(),
    sdgs: z.array(z.int().min(1).max(17)).max(100).optional(),
    listedAt: assetTime.optional(),
  })
  .refine(({ id, type }) => id.startsWith(type === 'POOL' ? 'pool_' : 'proj_'), {
    path: ['type'],
    error: 'must agree with the id: POOL for pool_…, PROJECT for proj_…',
  });

export type Asset = z.output<typeof assetSchema>;
