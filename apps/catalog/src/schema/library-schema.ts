import {
  ASSET_FIELDS,
  type AssetField,
  type AssetFieldName,
  type AssetType,
  type FieldSchema,
  fieldsOf,
  type KindSchema,
  type LibrarySchema,
} from '@carbon/contracts';
import { operatorsOf } from '@carbon/criteria';
import { isListed } from '../index/listed-fields.js';
import { isMeasured, type LibraryCounts, NAMES, type Statistics } from './library-statistics.js';

/** Describes the fields of the library and the values in it. */
export function librarySchema({ POOL, PROJECT, createdAt }: LibraryCounts): LibrarySchema {
  return { pools: kindSchema('POOL', POOL, createdAt), projects: kindSchema('PROJECT', PROJECT, createdAt) };
}

function kindSchema(type: AssetType, statistics: Statistics, createdAt: number): KindSchema {
  return {
    total: statistics.hits.total.value,
    indexedAt: new Date(statistics.aggregations[NAMES.newest]?.value ?? createdAt).toISOString(),
    fields: fieldsOf(type).map((name) => fieldSchema(name, statistics)),
  };
}

function fieldSchema(name: AssetFieldName, statistics: Statistics): FieldSchema {
  const field: AssetField = ASSET_FIELDS[name];
  const { type, multi = false, exact = false, description } = field;
  return {
    name,
    type,
    multi,
    operators: [...operatorsOf({ name, type, multi, exact })],
    description,
    ...(isListed(name) && { values: valuesOf(name, statistics) }),
    ...(isMeasured(name) && rangeOf(name, statistics)),
  };
}

function valuesOf(name: AssetFieldName, { aggregations }: Statistics): FieldSchema['values'] {
  const isBoolean = ASSET_FIELDS[name].type === 'boolean';
  const buckets = aggregations[NAMES.valuesOf(name)]?.buckets ?? [];
  return buckets.map(({ key, doc_count: count }) => ({ value: isBoolean ? key === 1 : key, count }));
}

function rangeOf(name: AssetFieldName, { aggregations }: Statistics): Pick<FieldSchema, 'min' | 'max'> {
  const [min, max] = [aggregations[NAMES.minOf(name)]?.value, aggregations[NAMES.maxOf(name)]?.value];
  if (min == null || max == null) return {};
  if (ASSET_FIELDS[name].type !== 'date') return { min, max };
  return { min: new Date(min).toISOString(), max: new Date(max).toISOString() };
}
