import { estimateIdSchema, estimateView } from '@carbon/contracts';
import { required } from '@carbon/http';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { estimateWish } from '../../estimates/create-estimate/read-create-estimate.js';
import { success } from '../answers.js';
import { ESTIMATES } from '../examples/answers.js';
import { INVALID_REQUESTS } from '../examples/invalid-requests.js';
import { ESTIMATE_WISHES } from '../examples/wishes.js';
import { keyed, REQUEST_ID } from '../keyed.js';
import { queryParameters } from '../question-parameters.js';
import { refusals } from '../refusals.js';

const id = estimateIdSchema.meta({ description: 'The id of the estimate.' });

/** `/v1/estimates`. */
export const ESTIMATE_PATHS: ZodOpenApiPathsObject = {
  '/v1/estimates': {
    post: {
      operationId: 'createEstimate',
      tags: ['Estimates'],
      summary: 'Have a price held',
      ...keyed(
        'offsets:write',
        'Tells what an offset of this weight would cost now, and holds that price for 24 hours, for one offset whose `estimateId` names it. No credits are reserved.',
      ),
      parameters: [REQUEST_ID],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: estimateWish, examples: ESTIMATE_WISHES } },
      },
      responses: {
        '201': success({
          description: 'The price, and how long it is held.',
          schema: estimateView,
          headers: ['Location'],
          examples: ESTIMATES,
        }),
        ...refusals({
          own: [INVALID_REQUESTS.createEstimate, 'insufficient_supply', 'service_unavailable'],
          body: true,
        }),
      },
    },
    get: {
      operationId: 'getEstimate',
      tags: ['Estimates'],
      summary: 'Read an estimate',
      ...keyed('offsets:read', 'The estimate as it was made. It can be read for some time after it has expired.'),
      parameters: [...queryParameters({ id: required(id) }, { id: ESTIMATES.estimate.value.id }), REQUEST_ID],
      responses: {
        '200': success({ description: 'The estimate.', schema: estimateView, examples: ESTIMATES }),
        ...refusals({ own: [INVALID_REQUESTS.getEstimate, 'not_found', 'service_unavailable'] }),
      },
    },
  },
};
