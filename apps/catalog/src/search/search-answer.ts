import { ASSET_FIELDS, type AssetFieldName, fieldView } from '@carbon/contracts';
import { z } from 'zod';

/** An asset as the index keeps it: those fields that were asked for and that it has. */
const storedAsset = z.object(
  Object.fromEntries((Object.keys(ASSET_FIELDS) as AssetFieldName[]).map((name) => [name, fieldView(name)])),
);

/** OpenSearch's answer to a search. A place of `null` is that of a word that the document does not have. */
export const searchAnswer = z.object({
  timed_out: z.boolean(),
  _shards: z.object({ failed: z.int() }),
  hits: z.object({
    total: z.object({ value: z.int(), relation: z.literal('eq') }),
    hits: z.array(
      z.object({ _source: storedAsset, sort: z.array(z.union([z.string(), z.number(), z.null()])).readonly() }),
    ),
  }),
});

export type SearchAnswer = z.output<typeof searchAnswer>;
export type StoredAsset = z.output<typeof storedAsset>;
