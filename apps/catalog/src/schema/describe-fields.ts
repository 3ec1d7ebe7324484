import type { AssetType, FieldSchema, KindSchema, LibrarySchema, ValueCount } from '@carbon/contracts';
import { operatorsOf } from '@carbon/criteria';
import { Injectable } from '@nestjs/common';
import { type Answer, answerOf } from '../answers/answer.js';
import { ResponseCache } from '../answers/response-cache.js';
import { type DescribedField, describedFields, FIGURES, type Figures, LibraryFigures } from './library-figures.js';

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

/** Room for the one answer there is, were every value in it as long as a value can be. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Tells what can be asked of the library, and what stands in it. */
@Injectable()
export class DescribeFields {
  private readonly answers = new ResponseCache<Answer>(MOST_BYTES);

  constructor(private readonly figures: LibraryFigures) {}

  /** @param signal says that who asks has gone @throws TransientError when the library cannot be asked now */
  run(signal: AbortSignal): Promise<Answer> {
    return this.answers.get('schema', (askedAt, abandoned) => this.ask(askedAt, abandoned), signal);
  }

  private async ask(askedAt: number, abandoned: AbortSignal): Promise<Answer> {
    const { POOL, PROJECT } = await this.figures.count(abandoned);
    const schema: LibrarySchema = {
      pools: kindSchema('POOL', POOL.figures, POOL.madeAt),
      projects: kindSchema('PROJECT', PROJECT.figures, PROJECT.madeAt),
    };
    return answerOf(askedAt, Buffer.from(JSON.stringify(schema)));
  }
}
