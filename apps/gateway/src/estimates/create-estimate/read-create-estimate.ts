import { assetSchema } from '@carbon/contracts';
import { checkBody, type ErrorItem, invalidRequest, readParameters } from '@carbon/http';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { gather } from '../../requests/gather.js';
import { weight } from '../../requests/weight.js';

/** The body of `POST /v1/estimates`: a weight, and the asset all of it is to come from where one is wanted. */
export const estimateWish = z.strictObject({
  kgCO2e: weight,
  asset: assetSchema.shape.id.optional().meta({ description: 'The id of the asset that all of it is to come from.' }),
});

/** What a client wants to know the price of. */
export type EstimateWish = z.output<typeof estimateWish>;

/** Reads `POST /v1/estimates`. Throws `invalid_request` with the mistakes of address and body together. */
export function readCreateEstimate({ raw, body }: Pick<FastifyRequest, 'raw' | 'body'>): EstimateWish {
  const items: ErrorItem[] = [];
  gather(items, () => readParameters(raw.url ?? '', {}));
  const wish = gather(items, () => checkBody(estimateWish, body));
  if (wish === undefined || items.length > 0) throw invalidRequest(items);
  return wish;
}
