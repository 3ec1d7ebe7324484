import { ASSET_FIELDS, type AssetField, type AssetFieldType } from '@carbon/contracts';
import { z } from 'zod';

const BY_TYPE: Readonly<Record<AssetFieldType, z.ZodType>> = {
  keyword: z.string(),
  address: z.string(),
  text: z.string(),
  number: z.number(),
  integer: z.int(),
  boolean: z.boolean(),
  date: z.string(),
};

/** An asset as the index keeps it: those fields that were asked for and that it has. */
const storedAsset = z.object(Object.fromEntries(Object.entries<AssetField>(ASSET_FIELDS).map(storedField)));

function storedField([name, { type, multi }]: [string, AssetField]): [string, z.ZodType] {
  const value = BY_TYPE[type];
  return [name, (multi ? z.array(value) : value).optional()];
}

/** OpenSearch's answer to a search. A place of `null` is that of a word that the document does not have. */
export const searchAnswer = z.object({
  timed_out: z.boolean(),
  _shards: z.object({ failed: z.int() }),
  hits: z.object({
    total: z.object({ value: z.int(), relation: z.literal('eq') }),
    hits: z.array(
      z.object({ _source: storedAsset, sort: z.array(z.union([z.string(), z.number(), z.null()])).readonly() }),
    ),
  }),
});

export type SearchAnswer = z.output<typeof searchAnswer>;
export type StoredAsset = z.output<typeof storedAsset>;
