import { offsetIdSchema, retirementReceiptView } from '@carbon/contracts';
import { required } from '@carbon/http';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { success } from '../answers.js';
import { RECEIPTS } from '../examples/answers.js';
import { INVALID_REQUESTS } from '../examples/invalid-requests.js';
import { keyed, REQUEST_ID } from '../keyed.js';
import { queryParameters } from '../question-parameters.js';
import { refusals } from '../refusals.js';

const offset = offsetIdSchema.meta({ description: 'The id of the offset.' });

/** `/v1/retirements`. */
export const RETIREMENT_PATHS: ZodOpenApiPathsObject = {
  '/v1/retirements': {
    get: {
      operationId: 'getRetirements',
      tags: ['Retirements'],
      summary: 'Read the receipt of an offset',
      ...keyed(
        'offsets:read',
        "The offset's entries in the retirement ledger, each with its place in its asset's chain of hashes.",
      ),
      parameters: [
        ...queryParameters({ offset: required(offset) }, { offset: RECEIPTS.completed.value.offset }),
        REQUEST_ID,
      ],
      responses: {
        '200': success({ description: 'The receipt.', schema: retirementReceiptView, examples: RECEIPTS }),
        ...refusals({ own: [INVALID_REQUESTS.getRetirements, 'not_found', 'service_unavailable'] }),
      },
    },
  },
};
