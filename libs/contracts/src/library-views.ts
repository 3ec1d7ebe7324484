import { z } from 'zod';
import {
  ASSET_FIELDS,
  type AssetField,
  type AssetFieldName,
  type AssetFieldType,
  type AssetType,
  fieldsOf,
} from './asset.js';

/** Lengths are not told: an asset's texts are shown in composed form (NFC), which may be longer than what was published. */
const BY_TYPE: Readonly<Record<AssetFieldType, z.ZodType>> = {
  keyword: z.string(),
  address: z.string(),
  text: z.string(),
  number: z.number(),
  integer: z.int(),
  boolean: z.boolean(),
  date: z.string().meta({ format: 'date-time' }),
};

/** An asset as searches tell it: of the fields that were asked for, those that it has. */
export function assetView(type: AssetType) {
  return z.object(Object.fromEntries(fieldsOf(type).map((name) => [name, fieldView(name)])));
}

/** One field of an asset, where it has it. */
export function fieldView(name: AssetFieldName): z.ZodType {
  const field: AssetField = ASSET_FIELDS[name];
  const value = BY_TYPE[field.type];
  return (field.multi ? z.array(value) : value).optional().meta({ description: sentence(field) });
}

function sentence({ description }: AssetField): string {
  return `${description.charAt(0).toUpperCase()}${description.slice(1)}.`;
}

const time = z.iso.datetime({ precision: 3 });

/** A value that stands in a field, and how many assets have it. */
export const valueCountView = z.strictObject({
  value: z.union([z.string(), z.number(), z.boolean()]),
  count: z.int().positive().meta({ description: 'How many assets have this value.' }),
});

/** One field that criteria may name. */
export const fieldSchemaView = z.strictObject({
  name: z.string(),
  type: z.enum(['keyword', 'text', 'number', 'integer', 'date', 'boolean', 'address']).meta({
    description: 'How criteria treat the values.',
  }),
  multi: z.boolean().meta({ description: 'Whether an asset can have several values.' }),
  operators: z.array(z.string()).meta({ description: 'The operators that criteria may use with this field.' }),
  description: z.string(),
  values: z
    .array(valueCountView)
    .max(50)
    .optional()
    .meta({ description: 'The commonest values, by count, then by value. Of keyword, boolean and integer fields.' }),
  min: z
    .union([z.number(), time])
    .optional()
    .meta({ description: 'The least value. Of numbers and dates; absent when no asset has the field.' }),
  max: z.union([z.number(), time]).optional().meta({ description: 'The greatest value, likewise.' }),
});

/** What there is of one type of asset, and what can be asked of it. */
export const kindSchemaView = z.strictObject({
  total: z.int().min(0).meta({ description: 'How many assets there are.' }),
  indexedAt: time.meta({
    description: 'When the youngest of them was written into the index; of none, when the index was made.',
  }),
  fields: z.array(fieldSchemaView),
});

/** The fields that criteria may name, of both types of asset. */
export const librarySchemaView = z.strictObject({ pools: kindSchemaView, projects: kindSchemaView });

export type ValueCount = z.output<typeof valueCountView>;
export type FieldSchema = z.output<typeof fieldSchemaView>;
export type KindSchema = z.output<typeof kindSchemaView>;
export type LibrarySchema = z.output<typeof librarySchemaView>;
