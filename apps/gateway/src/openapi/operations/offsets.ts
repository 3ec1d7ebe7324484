import { acceptedView, LIST_PARAMETERS, offsetIdSchema, offsetView, queuedOffsetView } from '@carbon/contracts';
import { optional } from '@carbon/http';
import { z } from 'zod';
import type { ZodOpenApiParameterObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { offsetWish } from '../../offsets/create-offset/offset-wish.js';
import { success } from '../answers.js';
import { ACCEPTED, OFFSETS } from '../examples/answers.js';
import { INVALID_REQUESTS } from '../examples/invalid-requests.js';
import { OFFSET_WISHES } from '../examples/wishes.js';
import { keyed, REQUEST_ID } from '../keyed.js';
import { queryParameters } from '../question-parameters.js';
import { refusals } from '../refusals.js';

const IDEMPOTENCY_KEY: ZodOpenApiParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A name of your own for this request. The same key gives the same offset however often it is sent, so a request whose answer was lost can be sent again.',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
};

const id = offsetIdSchema.meta({
  description: 'The id of one offset. With it, the answer is that offset, and no other parameter may be sent.',
});

/** `/v1/offsets`. */
export const OFFSET_PATHS: ZodOpenApiPathsObject = {
  '/v1/offsets': {
    post: {
      operationId: 'createOffset',
      tags: ['Offsets'],
      summary: 'Create an offset',
      ...keyed(
        'offsets:write',
        'Requests that credits be retired against a weight of emissions. The request is queued for processing once it is recorded beyond loss. With an `Idempotency-Key` it can be repeated safely; the same key with another body is refused.',
      ),
      parameters: [IDEMPOTENCY_KEY, REQUEST_ID],
      requestBody: { required: true, content: { 'application/json': { schema: offsetWish, examples: OFFSET_WISHES } } },
      responses: {
        '202': success({
          description: 'Queued for processing.',
          schema: acceptedView,
          headers: ['Location', 'Idempotency-Replayed'],
          examples: ACCEPTED,
        }),
        ...refusals({
          own: [
            INVALID_REQUESTS.createOffset,
            'idempotency_key_reused',
            'not_accepted',
            'outcome_unknown',
            'service_unavailable',
          ],
          body: true,
        }),
      },
    },
    get: {
      operationId: 'readOffsets',
      tags: ['Offsets'],
      summary: 'Read one offset, or list all',
      ...keyed(
        'offsets:read',
        'With `id`: that offset. An id that was accepted is never a 404: until it is recorded, it is answered as queued. Without: the recorded offsets, newest first, in pages; `Link` leads to the next.',
      ),
      parameters: [...queryParameters({ id: optional(id), ...LIST_PARAMETERS }), REQUEST_ID],
      responses: {
        '200': success({
          description: 'The offset, or a page of the list.',
          schema: z.union([offsetView, queuedOffsetView, z.array(offsetView)]),
          headers: ['Link'],
          examples: OFFSETS,
        }),
        ...refusals({ own: [INVALID_REQUESTS.readOffsets, 'invalid_cursor', 'not_found', 'service_unavailable'] }),
      },
    },
  },
};
