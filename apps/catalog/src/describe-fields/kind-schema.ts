import type { AssetType, FieldSchema, KindSchema, ValueCount } from '@carbon/contracts';
import { operatorsOf } from '@carbon/criteria';
import { type DescribedField, describedFields } from './described-field.js';
import type { Figures } from './figures-answer.js';
import { FIGURES } from './figures-request.js';

/**
 * The schema of one type of asset from what OpenSearch counted.
 *
 * @param madeAt when its index was made, in ms since 1970; used when there is no asset
 */
export function kindSchema(type: AssetType, figures: Figures, madeAt: number): KindSchema {
  return {
    total: figures.hits.total.value,
    indexedAt: new Date(figures.aggregations[FIGURES.newest]?.value ?? madeAt).toISOString(),
    fields: describedFields(type).map((field) => fieldSchema(field, figures)),
  };
}

function fieldSchema(field: DescribedField, figures: Figures): FieldSchema {
  const { name, type, multi = false, exact = false, description } = field;
  return {
    name,
    type,
    multi,
    operators: [...operatorsOf({ name, type, multi, exact })],
    description,
    ...(field.listed && { values: valuesOf(field, figures) }),
    ...(field.measured && extremesOf(field, figures)),
  };
}

function valuesOf({ name, type }: DescribedField, figures: Figures): ValueCount[] {
  const buckets = figures.aggregations[FIGURES.valuesOf(name)]?.buckets ?? [];
  return buckets.map(({ key, doc_count: count }) => ({ value: type === 'boolean' ? key === 1 : key, count }));
}

function extremesOf({ name, type }: DescribedField, figures: Figures): Pick<FieldSchema, 'min' | 'max'> {
  const [min, max] = [FIGURES.leastOf(name), FIGURES.greatestOf(name)].map(
    (figure) => figures.aggregations[figure]?.value ?? null,
  );
  if (min == null || max == null) return {};
  return type === 'date' ? { min: new Date(min).toISOString(), max: new Date(max).toISOString() } : { min, max };
}
