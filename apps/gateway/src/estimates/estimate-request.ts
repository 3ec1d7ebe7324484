import { assetSchema } from '@carbon/contracts';
import { checkBody, type ErrorItem, invalidRequest, readParameters } from '@carbon/http';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { collectErrors, weight } from '../requests.js';

/** The body of `POST /v1/estimates`: a weight, and optionally the one asset to take all of it from. */
export const estimateRequestBody = z.strictObject({
  kgCO2e: weight,
  asset: assetSchema.shape.id.optional().meta({ description: 'The id of the one asset to take all of it from.' }),
});

/** Reads `POST /v1/estimates`. Throws `invalid_request` with the errors of query and body together. */
export function readEstimateRequest({ raw, body }: Pick<FastifyRequest, 'raw' | 'body'>) {
  const items: ErrorItem[] = [];
  collectErrors(items, () => readParameters(raw.url ?? '', {}));
  const request = collectErrors(items, () => checkBody(estimateRequestBody, body));
  if (request === undefined || items.length > 0) throw invalidRequest(items);
  return request;
}
