import { z } from 'zod';

const bucket = z.object({ key: z.union([z.string(), z.number()]), doc_count: z.int() });
/** Of values: buckets; of a least or greatest: a value, null when no document has the field. */
const figure = z.object({ buckets: z.array(bucket).optional(), value: z.number().nullable().optional() });

const figures = z.object({
  timed_out: z.boolean(),
  _shards: z.object({ failed: z.int() }),
  hits: z.object({ total: z.object({ value: z.int(), relation: z.literal('eq') }) }),
  aggregations: z.record(z.string(), figure),
});

/** How many documents a type has, and the figures of its fields by the names of {@link FIGURES}. */
export type Figures = Pick<z.output<typeof figures>, 'hits' | 'aggregations'>;

const failure = z.object({ status: z.int(), error: z.unknown() });

/** OpenSearch's answer to two searches at once; each may fail by itself. */
export const figuresAnswer = z.object({
  responses: z.tuple([z.union([figures, failure]), z.union([figures, failure])]),
});

/** One of the two answers. */
export type FiguresOrFailure = z.output<typeof figuresAnswer>['responses'][number];

/** The settings that tell when an index was made, by index. */
export const creationAnswer = z.record(
  z.string(),
  z.object({ settings: z.object({ index: z.object({ creation_date: z.coerce.number() }) }) }),
);
