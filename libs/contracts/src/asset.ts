import { z } from 'zod';
import { hasDecimals } from './quantity.js';
import { plainText } from './text.js';

/** How criteria and the index treat a field. `text` with `exact` also matches as a whole. */
export type AssetFieldType = 'keyword' | 'text' | 'number' | 'integer' | 'date' | 'boolean' | 'address';
/** The two kinds of asset: a pool of credits, or one project. */
export type AssetType = 'POOL' | 'PROJECT';

/** One field of the library. */
export interface AssetField {
  readonly type: AssetFieldType;
  readonly on: readonly AssetType[];
  readonly description: string;
  readonly multi?: true;
  readonly exact?: true;
}

const BOTH = ['POOL', 'PROJECT'] as const;
const PROJECTS = ['PROJECT'] as const;

/** The fields of the asset library. Criteria, the index, results and documents are derived from this table. */
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
  active: { type: 'boolean', on: BOTH, description: 'whether credits may be retired from it' },
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

/** Returns the names of the fields of a type of asset, in the order of the table. */
export function fieldsOf(type: AssetType): readonly AssetFieldName[] {
  return FIELDS[type];
}

/** Computed once, because `fieldsOf` is called for every asset written. */
const FIELDS: Readonly<Record<AssetType, readonly AssetFieldName[]>> = {
  POOL: namesOn('POOL'),
  PROJECT: namesOn('PROJECT'),
};

function namesOn(type: AssetType): AssetFieldName[] {
  return Object.entries<AssetField>(ASSET_FIELDS)
    .filter(([, field]) => field.on.includes(type))
    .map(([name]) => name as AssetFieldName);
}

/** The default fields of a search result. */
export const RESULT_FIELDS = ['ticker', 'address', 'source', 'description', 'rating', 'name'] as const;

/** 2^33: up to here a JSON number of credits is exact to the gram. */
export const MAX_ISSUED_CREDITS = 8_589_934_592;
/** US dollars per credit. */
export const MAX_PRICE_USD = 1_000_000;

const text = plainText(1, 256);
const texts = z.array(text).max(100);
const SOURCE = /^[A-Z][A-Z0-9_]*$/;

const LONG_FRACTION = /\.\d{10}/;
const UTC_OFFSET = /[+-](\d\d):(\d\d)$/;
const MAX_OFFSET_MINUTES = 18 * 60;
const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * An RFC 3339 time that OpenSearch accepts: at most nanoseconds, at most 18 hours from UTC, years of four digits. Rejected
 * here, so that the publisher sees the error.
 */
const assetTime = z.iso
  .datetime({ offset: true, abort: true })
  .refine((text) => !LONG_FRACTION.test(text), 'must have at most nine digits after the second')
  .refine((text) => minutesFromUtc(text) <= MAX_OFFSET_MINUTES, 'must be at most 18 hours from UTC')
  .refine(isOfFourDigits, 'must be in the years 0001 to 9999, in UTC');

function minutesFromUtc(text: string): number {
  const [, hours = '0', minutes = '0'] = UTC_OFFSET.exec(text) ?? [];
  return Number(hours) * 60 + Number(minutes);
}

function isOfFourDigits(text: string): boolean {
  const time = Date.parse(text);
  return !text.startsWith('0000') && time >= FIRST && time <= LAST;
}

/** Text in the form of an asset's id. */
export const assetIdSchema = z
  .string()
  .regex(/^(pool|proj)_[a-z0-9_-]{1,64}$/, 'must be pool_… or proj_… with 1 to 64 of a-z 0-9 _ -');

/** Whether a value has the id and the type that must agree. */
function isIdentified(value: unknown): boolean {
  const { id, type }: { id?: unknown; type?: unknown } = Object(value);
  return typeof id === 'string' && /^(?:pool|proj)_/.test(id) && (type === 'POOL' || type === 'PROJECT');
}

/** One asset on the topic `asset.published`. Unknown members are dropped: newer writers may add some. Absent, never null. */
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
    // Reported beside the errors of other members, too.
    when: ({ value }) => isIdentified(value),
  });

export type Asset = z.output<typeof assetSchema>;
