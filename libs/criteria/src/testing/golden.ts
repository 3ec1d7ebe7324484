import { readFileSync } from 'node:fs';
import type { QueryClause } from '../compile/compile-criteria.js';
import { type CriteriaFields, criteriaFields } from '../fields.js';

/** A document in the index. Null, an empty list and an absent field are the same. */
export type GoldenDocument = { readonly id: string } & Readonly<Record<string, unknown>>;

/** A criteria text, its canonical spelling, its query, and the documents of the fixture that it selects. */
export interface ValidExample {
  readonly criteria: string;
  readonly canonical: string;
  readonly query: QueryClause;
  readonly matches: readonly string[];
}

/** A wrong criteria text and its errors as [code, position, length, hint]. */
export interface InvalidExample {
  readonly criteria: string;
  readonly errors: readonly (readonly [string, number, number, string?])[];
  /** The part of the text that the hint rewrites. */
  readonly replaced?: string;
  /** Criteria that select what the text with that rewrite selects. */
  readonly meant?: string;
}

/** A mistake of somebody who knows another language, as its documentation spells it, judged by hand. */
export interface ForeignExample {
  /** The other language. */
  readonly from: string;
  readonly criteria: string;
  /** What the rewrite of its hint must select; absent if the meaning cannot be known, so nothing may be rewritten. */
  readonly meant?: string;
  /** The parameter of a search that does this instead. */
  readonly parameter?: string;
  /** The meaning is known, and the hint says nothing about it yet. */
  readonly missed?: boolean;
}

/** The examples that define the language, with their own fixture and fields. */
export const golden = {
  documents: read<GoldenDocument>('documents.json'),
  valid: read<ValidExample>('valid.json'),
  invalid: read<InvalidExample>('invalid.json'),
  mistakes: read<ForeignExample>('mistakes.json'),
} as const;

/** The fields of the fixture. */
export const goldenFields: CriteriaFields = criteriaFields(
  [
    { name: 'ticker', type: 'keyword', multi: false },
    { name: 'address', type: 'address', multi: false },
    { name: 'source', type: 'keyword', multi: false },
    { name: 'name', type: 'text', multi: false, exact: true },
    { name: 'description', type: 'text', multi: false },
    { name: 'rating', type: 'number', multi: false },
    { name: 'price', type: 'number', multi: false },
    { name: 'registry', type: 'keyword', multi: false },
    { name: 'registryId', type: 'keyword', multi: false },
    { name: 'country', type: 'keyword', multi: false },
    { name: 'vintages', type: 'integer', multi: true },
    { name: 'sdgs', type: 'integer', multi: true },
    { name: 'active', type: 'boolean', multi: false },
    { name: 'createdAt', type: 'date', multi: false },
  ],
  { methodologies: 'projects' },
);

/** Fields as in the asset library. */
export const libraryFields: CriteriaFields = criteriaFields([
  ...['id', 'ticker', 'source', 'registry', 'country', 'region'].map(
    (name) => ({ name, type: 'keyword', multi: false, sortable: true }) as const,
  ),
  ...['rating', 'price', 'issued'].map((name) => ({ name, type: 'number', multi: false, sortable: true }) as const),
  ...['categories', 'methodologies'].map((name) => ({ name, type: 'keyword', multi: true }) as const),
  ...['vintages', 'sdgs'].map((name) => ({ name, type: 'integer', multi: true }) as const),
  { name: 'chain', type: 'keyword', multi: false },
  { name: 'registryId', type: 'keyword', multi: false },
  { name: 'address', type: 'address', multi: false },
  { name: 'name', type: 'text', multi: false, exact: true, sortable: true },
  { name: 'description', type: 'text', multi: false },
  { name: 'active', type: 'boolean', multi: false },
  { name: 'listedAt', type: 'date', multi: false, sortable: true },
]);

/** The fields of random criteria and documents: the fixture's, and one of each type that may have several values. */
export const randomFields: CriteriaFields = criteriaFields([
  ...goldenFields.list,
  { name: 'tags', type: 'keyword', multi: true },
  { name: 'notes', type: 'text', multi: true, exact: true },
  { name: 'grades', type: 'number', multi: true },
  { name: 'seenAt', type: 'date', multi: true },
]);

/** Returns the body that creates an index of some fields, with the settings and mappings that the language requires. */
export function indexFor({ list }: CriteriaFields, shards = 1): object {
  const mapped = list.map((field) => [field.name, mappingOf(field.type, field.exact)]);
  return {
    settings: {
      number_of_shards: shards,
      number_of_replicas: 0,
      analysis: {
        normalizer: { crit_fold: { type: 'custom', filter: ['lowercase', 'asciifolding'] } },
        analyzer: { crit_text: { type: 'custom', tokenizer: 'standard', filter: ['lowercase', 'asciifolding'] } },
      },
    },
    mappings: { dynamic: 'strict', properties: { id: { type: 'keyword' }, ...Object.fromEntries(mapped) } },
  };
}

function mappingOf(type: string, exact = false): unknown {
  const keyword = { type: 'keyword', normalizer: 'crit_fold' };
  const subfields = { fields: { exact: { ...keyword, ignore_above: 1024 } } };
  if (type === 'text') return { type, analyzer: 'crit_text', ...(exact && subfields) };
  if (type === 'number') return { type: 'double' };
  if (type === 'date') return { type, format: 'strict_date_optional_time' };
  return type === 'keyword' || type === 'address' ? keyword : { type };
}

/** One JSON object a line; the path is the same in the sources and in the build. */
function read<T>(file: string): readonly T[] {
  return JSON.parse(readFileSync(new URL(`../../src/golden/${file}`, import.meta.url), 'utf8')) as readonly T[];
}
