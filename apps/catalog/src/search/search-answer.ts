import type { RESULT_FIELDS } from '@carbon/contracts';
import { z } from 'zod';

/** An asset as a search shows it: those of the six fields that it has. */
const assetView = z.object({
  ticker: z.string().optional(),
  address: z.string().optional(),
  source: z.string().optional(),
  description: z.string().optional(),
  rating: z.number().optional(),
  name: z.string().optional(),
} satisfies Record<(typeof RESULT_FIELDS)[number], z.ZodType>);

/** OpenSearch's answer to a search. */
export const searchAnswer = z.object({
  timed_out: z.boolean(),
  _shards: z.object({ failed: z.int() }),
  hits: z.object({
    hits: z.array(z.object({ _source: assetView, sort: z.array(z.union([z.string(), z.number()])) })),
  }),
});

export type AssetView = z.output<typeof assetView>;
export type SearchAnswer = z.output<typeof searchAnswer>;
