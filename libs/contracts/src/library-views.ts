import { z } from 'zod';
import {
  ASSET_FIELDS,
  type AssetField,
  type AssetFieldName,
  type AssetFieldType,
  type AssetType,
  fieldsOf,
} from './asset.js';

/** No maximum lengths: responses have texts in composed form (NFC), which may be longer than the published text. */
const BY_TYPE: Readonly<Record<AssetFieldType, z.ZodType>> = {
  keyword: z.string(),
  address: z.string(),
  text: z.string(),
  number: z.number(),
  integer: z.int(),
  boolean: z.boolean(),
  date: z.string().meta({ format: 'date-time' }),
};

/** An asset in a search result, with the requested fields that it has. */
export function assetView(type: AssetType) {
  return z.object(Object.fromEntries(fieldsOf(type).map((name) => [name, fieldView(name)])));
}

/** One field of an asset in a search result. */
export function fieldView(name: AssetFieldName): z.ZodType {
  const field: AssetField = ASSET_FIELDS[name];
  const value = BY_TYPE[field.type];
  return (field.multi ? z.array(value) : value).optional().meta({ description: sentenceOf(field) });
}

function sentenceOf({ description }: AssetField): string {
  return `${description.charAt(0).toUpperCase()}${description.slice(1)}.`;
}

const time = z.iso.datetime({ precision: 3 });

/** A value of a field and the number of assets with it. */
export const valueCountView = z.strictObject({
  value: z.union([z.string(), z.number(), z.boolean()]),
  count: z.int().positive().meta({ description: 'The number of assets with this value.' }),
});

/** One field that criteria may name. */
export const fieldSchemaView = z.strictObject({
  name: z.string(),
  type: z.enum(['keyword', 'text', 'number', 'integer', 'date', 'boolean', 'address']).meta({
    description: 'The type of the values in criteria.',
  }),
  multi: z.boolean().meta({ description: 'Whether an asset can have several values.' }),
  operators: z.array(z.string()).meta({ description: 'The operators that criteria may use with this field.' }),
  description: z.string(),
  values: z.array(valueCountView).max(50).optional().meta({
    description:
      'The most common values, by count, then by value. Only for keyword, boolean and integer fields, except `id` and `registryId`.',
  }),
  min: z
    .union([z.number(), time])
    .optional()
    .meta({ description: 'The minimum. Only for numbers and dates; absent if no asset has the field.' }),
  max: z
    .union([z.number(), time])
    .optional()
    .meta({ description: 'The maximum. Only for numbers and dates; absent if no asset has the field.' }),
});

/** The number of assets of one type, and their fields. */
export const kindSchemaView = z.strictObject({
  total: z.int().min(0).meta({ description: 'The number of assets.' }),
  indexedAt: time.meta({
    description: 'When the newest asset was indexed; without assets, when the index was created.',
  }),
  fields: z.array(fieldSchemaView),
});

/** The fields of both types of asset. */
export const librarySchemaView = z.strictObject({ pools: kindSchemaView, projects: kindSchemaView });

/** The maximum number of clauses, compared values and near values in the hints of one search. */
export const MAX_HINTS = { clauses: 20, compared: 10, near: 5 } as const;

/** The maximum number of values of a field in a facet. */
export const MAX_FACET_VALUES = 100;

/** The values of the library that are like a value of criteria. */
export const nearValuesView = z.strictObject({
  field: z.string().meta({ description: 'The field of the clause.' }),
  value: z.string().meta({ description: 'The value of the clause, which no asset has.' }),
  near: z.array(z.string()).max(MAX_HINTS.near).meta({
    description: 'Similar values that assets have, the likeliest first; none if no value is similar.',
  }),
});

/** One clause of a search. */
export const clauseHintView = z.strictObject({
  parameter: z.enum(['criteria', 'fullTextSearch']),
  text: z.string().meta({ description: 'The clause as a value of that parameter.' }),
  total: z.int().min(0).meta({ description: 'The number of assets that match this clause alone.' }),
  values: z.array(nearValuesView).max(MAX_HINTS.compared).optional().meta({
    description: 'For a clause that matches nothing: values similar to the values it names. Only for keyword fields.',
  }),
});

/** The number of matches of each clause of a search, to explain why it finds nothing. */
export const searchHintsView = z.strictObject({
  total: z.int().min(0).meta({ description: 'The number of assets that the search finds.' }),
  clauses: z.array(clauseHintView).max(MAX_HINTS.clauses).meta({
    description: 'The conditions joined with `and`, and the full text; the first 20.',
  }),
});

const count = z.int().positive().meta({ description: 'The number of assets that the search then finds.' });
const clause = z.string().meta({
  description: 'The criteria for these assets: `(<criteria>) and <clause>` finds exactly as many.',
});

/** A value of a field among the assets that a search finds. */
export const facetValueView = z.strictObject({
  value: z.union([z.string(), z.number(), z.boolean()]),
  count,
  clause,
});

/** An interval of values: from `from`, which it includes, to `to`, which it does not. */
export const facetRangeView = z.strictObject({
  from: z.union([z.number(), time]).optional().meta({ description: 'Absent: no lower bound.' }),
  to: z.union([z.number(), time]).optional().meta({ description: 'Absent: no upper bound.' }),
  count,
  clause,
});

/** The assets that a search finds, counted by the values of one field. */
export const facetView = z.strictObject({
  field: z.string(),
  values: z.array(facetValueView).max(MAX_FACET_VALUES).optional().meta({
    description: 'The values, the most frequent first; those of integer fields in ascending order.',
  }),
  ranges: z
    .array(facetRangeView)
    .optional()
    .meta({ description: 'Intervals of numbers or dates, without empty ones.' }),
  hasMore: z.boolean().optional().meta({ description: 'Whether there are more values than listed.' }),
  missing: z.strictObject({ count, clause }).optional().meta({ description: 'The assets without the field, if any.' }),
});

/** The facets of a search. */
export const facetsView = z.strictObject({
  total: z.int().min(0).meta({ description: 'The number of assets that the search finds.' }),
  facets: z.array(facetView).meta({ description: 'One for each field, in the order of the field list.' }),
});

/** The maximum number of completions at one caret. */
export const MAX_COMPLETIONS = 100;

/** One completion at a caret in criteria. */
export const completionView = z.strictObject({
  insert: z.string().meta({ description: 'The text to put in the place of the characters from `from` to `to`.' }),
  kind: z.enum(['field', 'operator', 'keyword', 'value']),
  from: z.int().min(0).meta({ description: 'Where the replaced text begins, in UTF-16 code units.' }),
  to: z.int().min(0).meta({ description: 'Where it ends: the caret.' }),
  count: z.int().positive().optional().meta({ description: 'For a value: the number of assets with it.' }),
});

/** The completions at a caret. */
export const completionsView = z.strictObject({
  completions: z.array(completionView).max(MAX_COMPLETIONS).meta({
    description: 'Values first, the most frequent first; then `and` and `or`, fields, operators and other keywords.',
  }),
});

export type Completions = z.output<typeof completionsView>;
export type FacetValue = z.output<typeof facetValueView>;
export type FacetRange = z.output<typeof facetRangeView>;
export type Facet = z.output<typeof facetView>;
export type Facets = z.output<typeof facetsView>;
export type FieldSchema = z.output<typeof fieldSchemaView>;
export type KindSchema = z.output<typeof kindSchemaView>;
export type LibrarySchema = z.output<typeof librarySchemaView>;
export type NearValues = z.output<typeof nearValuesView>;
export type ClauseHint = z.output<typeof clauseHintView>;
export type SearchHints = z.output<typeof searchHintsView>;
