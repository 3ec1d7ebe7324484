import type { AssetType } from '@carbon/contracts';
import { INDEX_FIELDS } from '../indexing/mapping.js';
import { type DescribedField, describedFields } from './described-field.js';

/** The most values listed of one field. */
export const MOST_VALUES = 50;

/** The names under which OpenSearch gives its figures back. */
export const FIGURES = {
  newest: 'newest',
  valuesOf: (field: string) => `values_${field}`,
  leastOf: (field: string) => `least_${field}`,
  greatestOf: (field: string) => `greatest_${field}`,
} as const;

type Aggregations = Readonly<Record<string, object>>;

/**
 * The body of one search over both aliases that counts and shows no document. Each index has one shard, and each count
 * looks at one index, so the commonest values and their counts are exact.
 *
 * @param aliases what searches for each type go to
 * @param timeoutMs how long OpenSearch may take
 */
export function figuresRequest(aliases: Readonly<Record<AssetType, string>>, timeoutMs: number): object {
  return {
    size: 0,
    track_total_hits: false,
    timeout: `${timeoutMs}ms`,
    aggs: { POOL: figuresOf('POOL', aliases.POOL), PROJECT: figuresOf('PROJECT', aliases.PROJECT) },
  };
}

function figuresOf(type: AssetType, alias: string): object {
  const fields = describedFields(type).map(figuresOfField);
  const newest = { [FIGURES.newest]: { max: { field: INDEX_FIELDS.indexedAt } } };
  return { filter: { term: { _index: alias } }, aggs: Object.assign(newest, ...fields) };
}

function figuresOfField({ name, type, listed, measured }: DescribedField): Aggregations {
  // The field itself is folded for comparison; `raw` has the values as they were published.
  const field = type === 'keyword' ? `${name}.raw` : name;
  const order = [{ _count: 'desc' }, { _key: 'asc' }];
  return {
    ...(listed && { [FIGURES.valuesOf(name)]: { terms: { field, size: MOST_VALUES, order } } }),
    ...(measured && { [FIGURES.leastOf(name)]: { min: { field } }, [FIGURES.greatestOf(name)]: { max: { field } } }),
  };
}
