import { readFileSync } from 'node:fs';
import { type Asset, assetSchema } from '@carbon/contracts';
import { z } from 'zod';

const judged = z
  .strictObject({
    /** What is hard about it. */
    about: z.string().min(1),
    kind: z.enum(['pools', 'projects']),
    query: z.string().min(1),
    /** Any of these may come first; empty when nothing may be found. */
    first: z.array(z.string()).optional(),
    /** Or: what comes first has these values. */
    like: z
      .strictObject({ country: z.string(), source: z.string(), categories: z.array(z.string()) })
      .partial()
      .optional(),
    /** Where what should come first stands, when it does not come first; 0 when it is not found at all. */
    rank: z.int().min(0).optional(),
    /** Why that is put up with. */
    because: z.string().min(1).optional(),
  })
  .refine(({ first, like }) => (first === undefined) !== (like === undefined), 'needs either first or like')
  .refine(({ rank, because }) => (rank === undefined) === (because === undefined), 'a rank needs its reason');

/** What a person types, and what that person wants to see first. */
export type JudgedQuery = z.output<typeof judged>;

/** The starter library, as `npm start` publishes it. */
export const STARTER_LIBRARY: readonly Asset[] = linesOf(
  new URL('../../../../../infra/data/assets.ndjson', import.meta.url),
).map((line) => assetSchema.parse(line));

/** Written by reading the starter library, before anything was searched. */
export const JUDGED_QUERIES: readonly JudgedQuery[] = linesOf(new URL('judged-queries.ndjson', import.meta.url)).map(
  (line) => judged.parse(line),
);

/**
 * Where the first asset stands that the person wants (counted from 1); 0 when it is not found. A search that shall find
 * nothing ranks 1 when it does.
 */
export function rankOf({ first, like }: JudgedQuery, found: readonly Asset[]): number {
  if (first?.length === 0) return found.length === 0 ? 1 : 0;
  return found.findIndex((asset) => first?.includes(asset.id) || (like !== undefined && isLike(asset, like))) + 1;
}

function isLike(asset: Asset, { country, source, categories = [] }: NonNullable<JudgedQuery['like']>): boolean {
  return (
    (country === undefined || asset.country === country) &&
    (source === undefined || asset.source === source) &&
    categories.every((category) => asset.categories?.includes(category))
  );
}

function linesOf(file: URL): unknown[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
