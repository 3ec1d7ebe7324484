import { z } from 'zod';

const bucket = z.object({ key: z.union([z.string(), z.number()]), doc_count: z.int() });
/** Of values: buckets; of a least or greatest: a value, null when no document has the field. */
const figure = z.object({ buckets: z.array(bucket).optional(), value: z.number().nullable().optional() });
const figures = z.object({ doc_count: z.int() }).catchall(figure);

/** OpenSearch's answer to the figures of both types. */
export const figuresAnswer = z.object({
  timed_out: z.boolean(),
  _shards: z.object({ failed: z.int() }),
  aggregations: z.object({ POOL: figures, PROJECT: figures }),
});

/** How many documents a type has, and the figures of its fields by the names of {@link FIGURES}. */
export type Figures = z.output<typeof figures>;

/** The settings that tell when an index was made, by index. */
export const creationAnswer = z.record(
  z.string(),
  z.object({ settings: z.object({ index: z.object({ creation_date: z.coerce.number() }) }) }),
);
