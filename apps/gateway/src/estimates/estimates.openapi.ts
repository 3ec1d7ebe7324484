import { type EstimateView, estimateIdSchema, estimateView } from '@carbon/contracts';
import { required } from '@carbon/http';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { queryParameters } from '../api-docs/openapi-parameters.js';
import { operation } from '../api-docs/operation.js';
import { get, invalidBody, invalidExample } from '../api-docs/problem-examples.js';
import { invalidId } from '../requests.js';
import { estimateRequestBody } from './estimate-request.js';

/** The schemas of estimates by their names in the document. */
export const ESTIMATE_SCHEMAS = { NewEstimate: estimateRequestBody, Estimate: estimateView };

const estimate: EstimateView = {
  id: 'est_01m7zvbfgqp8maf2d0aywgp39y',
  kgCO2e: 1000,
  credits: 1,
  cost: 7.94,
  currency: 'USD',
  allocations: [
    {
      asset: 'pool_nct',
      ticker: 'NCT',
      address: '0xD838290e877E0188a4A44700463419ED96c16107',
      credits: 1,
      price: 7.94,
      cost: 7.94,
    },
  ],
  createdAt: '2026-11-21T20:04:23.191Z',
  expiresAt: '2026-11-22T20:04:23.191Z',
};

const EXAMPLES = { estimate: { summary: 'The price of a tonne from one pool', value: estimate } };
const id = estimateIdSchema.meta({ description: 'The id of the estimate.' });

/** The OpenAPI paths of `/v1/estimates`. */
export const ESTIMATE_PATHS: ZodOpenApiPathsObject = {
  '/v1/estimates': {
    post: operation({
      operationId: 'createEstimate',
      tag: 'Estimates',
      summary: 'Create an estimate',
      description:
        'Returns what an offset of this weight would cost now, and holds that price for 24 hours, for one offset whose `estimateId` names it. No credits are reserved.',
      scope: 'offsets:write',
      body: {
        schema: estimateRequestBody,
        examples: {
          weight: { summary: 'From the best available assets', value: { kgCO2e: 250_000 } },
          asset: { summary: 'All of it from one pool', value: { kgCO2e: 1000, asset: 'pool_nct' } },
        },
      },
      success: {
        status: 201,
        description: 'The price, and when it expires.',
        schema: estimateView,
        headers: ['Location'],
        examples: EXAMPLES,
      },
      problems: [
        invalidBody('A weight as text', '/v1/estimates', estimateRequestBody, { kgCO2e: '1234.5' }),
        'insufficient_supply',
      ],
    }),
    get: operation({
      operationId: 'getEstimate',
      tag: 'Estimates',
      summary: 'Read an estimate',
      description: 'The estimate as it was created. It can be read for some time after it has expired.',
      scope: 'offsets:read',
      parameters: queryParameters({ id: required(id) }, { id: estimate.id }),
      success: { description: 'The estimate.', schema: estimateView, examples: EXAMPLES },
      problems: [
        invalidExample('Not an id', get('/v1/estimates?id=42'), () => {
          throw invalidId('est', 'id');
        }),
        'not_found',
      ],
    }),
  },
};
