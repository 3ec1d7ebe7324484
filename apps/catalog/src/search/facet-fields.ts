import { ASSET_FIELDS, type AssetField, type AssetFieldName, type Facet, MAX_FACET_VALUES } from '@carbon/contracts';
import { type CheckedPredicate, type CriteriaField, foldCharacter, printCriteria } from '@carbon/criteria';
import { z } from 'zod';
import { publishedValues } from '../index/listed-fields.js';
import type { Query } from './clause-count.js';

/** 0, then 0.01, 0.02, 0.05, 0.1 … 5e11: intervals that are read at a glance, even when prices and credits span ten orders of magnitude. */
const RANGE_BOUNDS = [
  0,
  ...Array.from({ length: 14 }, (_, power) => [1, 2, 5].map((step) => Number(`${step}e${power - 2}`))).flat(),
];
const STARS = [0, 1, 2, 3, 4, 5];
/** The number of values that each shard returns. With up to this many distinct values, counts are exact on several shards too. */
const SHARD_SIZE = 10_000;

const bucket = z.object({
  key: z.union([z.string(), z.number()]),
  doc_count: z.int(),
  from: z.number().optional(),
  to: z.number().optional(),
});
/** The aggregations of one field as OpenSearch returns them. */
export const facetAggregation = z.object({
  doc_count: z.int().optional(),
  buckets: z.array(bucket).optional(),
  sum_other_doc_count: z.int().optional(),
});
/** By name: that of the field, with `.published` for the values as published and `.missing` for assets without it. */
export type FacetAggregations = Readonly<Record<string, z.output<typeof facetAggregation>>>;

/** Returns the aggregations that count by a field. */
export function facetAggregations(name: AssetFieldName): Query {
  const { type } = ASSET_FIELDS[name] as AssetField;
  const missing = { [`${name}.missing`]: { missing: { field: name } } };
  if (type === 'number') return { ...missing, [name]: { range: { field: name, ranges: rangesOf(name) } } };
  if (type === 'date') {
    const years = { field: name, calendar_interval: 'year', min_doc_count: 1 };
    return { ...missing, [name]: { date_histogram: years } };
  }
  const byCount = [{ _count: 'desc' }, { _key: 'asc' }];
  const order = type === 'integer' ? { _key: 'asc' } : byCount;
  const terms = { field: name, size: MAX_FACET_VALUES, shard_size: SHARD_SIZE, order };
  // The field itself is folded, as criteria compare it; people read the values as they were published.
  const published = { terms: { field: publishedValues(name), size: 4 * MAX_FACET_VALUES, order: byCount } };
  return { ...missing, [name]: { terms }, ...(type === 'keyword' && { [`${name}.published`]: published }) };
}

function rangesOf(name: AssetFieldName): readonly { from?: number; to?: number }[] {
  const bounds = name === 'rating' ? STARS : RANGE_BOUNDS;
  const [first = 0] = bounds;
  return [
    { to: first },
    ...bounds.map((from, at) => ({ from, ...(at + 1 < bounds.length && { to: bounds[at + 1] }) })),
  ];
}

/** Returns the facet of a field; `field` describes it for criteria. */
export function facetOf(field: CriteriaField, found: FacetAggregations): Facet {
  const { name, type } = field;
  const { buckets = [], sum_other_doc_count: others = 0 } = found[name] ?? {};
  const filled = buckets.filter(({ doc_count }) => doc_count > 0);
  const missing = found[`${name}.missing`]?.doc_count ?? 0;
  const absent = printCriteria({ kind: 'not', term: { kind: 'exists', field } });
  const end = missing > 0 ? { missing: { count: missing, clause: absent } } : {};
  if (type === 'number' || type === 'date') return { field: name, ranges: filled.map(rangeIn(field)), ...end };
  const asPublished = publishedSpellings(found[`${name}.published`]?.buckets ?? []);
  const values = filled.map(({ key, doc_count: count }) => {
    const value = type === 'boolean' ? key === 1 : (asPublished.get(String(key)) ?? key);
    return { value, count, clause: printCriteria({ kind: 'equal', field, value }) };
  });
  return { field: name, values, ...(others > 0 && { hasMore: true }), ...end };
}

type Bucket = z.output<typeof bucket>;

function rangeIn(field: CriteriaField): (bucket: Bucket) => NonNullable<Facet['ranges']>[number] {
  return ({ key, from, to, doc_count: count }) => {
    if (field.type !== 'date') return { ...bounded(from, to), count, clause: rangeClause(field, from, to) };
    const start = new Date(Number(key));
    const end = new Date(start);
    end.setUTCFullYear(start.getUTCFullYear() + 1);
    // Neither assets nor criteria have times beyond the year 9999.
    const last = end.getUTCFullYear() > 9_999 ? undefined : end;
    const clause = rangeClause(field, start.getTime(), last?.getTime());
    return { ...bounded(start.toISOString(), last?.toISOString()), count, clause };
  };
}

function bounded<T>(from: T | undefined, to: T | undefined): { from?: T; to?: T } {
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

function rangeClause(field: CriteriaField, from: number | undefined, to: number | undefined): string {
  const bounds = { ...(from !== undefined && { gte: from }), ...(to !== undefined && { lt: to }) };
  const range: CheckedPredicate = { kind: 'range', field, bounds };
  return printCriteria(range);
}

/** By folded value: the most frequent published spelling. */
function publishedSpellings(buckets: readonly Bucket[]): ReadonlyMap<string, string> {
  return new Map(buckets.toReversed().map(({ key }) => [asIndexed(String(key)), String(key)]));
}

/** Returns a text as the normalizer of the index stores it. */
function asIndexed(text: string): string {
  return Array.from(text.normalize('NFC'), foldCharacter).join('');
}
