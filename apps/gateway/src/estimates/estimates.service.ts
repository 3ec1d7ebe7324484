import { assetSchema, Ids } from '@carbon/contracts';
import { checkBody, type ErrorItem, invalidRequest, readParameters } from '@carbon/http';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { collectErrors, requireIssuedId, weight } from '../requests.js';
import { OffsetsClient } from '../upstream/clients.js';
import type { UpstreamResponse } from '../upstream/upstream-response.js';

const VALID_MS = 24 * 60 * 60 * 1_000;

/** The body of `POST /v1/estimates`: a weight, and optionally the one asset to take all of it from. */
export const estimateRequestBody = z.strictObject({
  kgCO2e: weight,
  asset: assetSchema.shape.id.optional().meta({ description: 'The id of the one asset to take all of it from.' }),
});

/** The weight that a client requests a price for, from any assets or from one. */
export type EstimateRequest = z.output<typeof estimateRequestBody>;

/** Reads `POST /v1/estimates`. Throws `invalid_request` with the errors of query and body together. */
export function readEstimateRequest({ raw, body }: Pick<FastifyRequest, 'raw' | 'body'>): EstimateRequest {
  const items: ErrorItem[] = [];
  collectErrors(items, () => readParameters(raw.url ?? '', {}));
  const request = collectErrors(items, () => checkBody(estimateRequestBody, body));
  if (request === undefined || items.length > 0) throw invalidRequest(items);
  return request;
}

/** The response to a new estimate, and the id it was created under. */
export interface CreatedEstimate {
  readonly id: string;
  readonly response: UpstreamResponse;
}

/**
 * Creates and reads estimates. The id is created here, because the gateway has the secrets; the price by the offsets
 * service, which has the supply.
 */
@Injectable()
export class EstimatesService {
  constructor(
    private readonly ids: Ids,
    private readonly offsets: OffsetsClient,
  ) {}

  /** @throws TransientError `service_unavailable`; an unused estimate may exist then, which is harmless */
  async create(account: string, request: EstimateRequest): Promise<CreatedEstimate> {
    const now = Date.now();
    const id = this.ids.generate('est', account, now);
    const [createdAt, expiresAt] = [now, now + VALID_MS].map((time) => new Date(time).toISOString());
    const estimate = { id, ...request, createdAt, expiresAt };
    return { id, response: await this.offsets.post('/v1/estimates', account, estimate) };
  }

  /**
   * Returns the estimate. The offsets service's 404 is passed on: an id is generated before its estimate exists.
   * @throws RequestError `invalid_request` for what is not an id, `not_found` for an id not issued to the account
   * @throws TransientError `service_unavailable`
   */
  async get(account: string, id: string): Promise<UpstreamResponse> {
    requireIssuedId(this.ids, { prefix: 'est', id, account, field: 'id' });
    return await this.offsets.get(`/v1/estimates?id=${id}`, account);
  }
}
