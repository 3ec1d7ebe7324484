import {
  type AcceptedView,
  acceptedView,
  failureView,
  LIST_PARAMETERS,
  type OffsetView,
  offsetIdSchema,
  offsetView,
  type QueuedOffsetView,
  queuedOffsetView,
  retirementView,
} from '@carbon/contracts';
import { optional } from '@carbon/http';
import { z } from 'zod';
import type { ZodOpenApiParameterObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { queryParameters } from '../api-docs/openapi-parameters.js';
import { operation } from '../api-docs/operation.js';
import { invalidBody, invalidUrl } from '../api-docs/problem-examples.js';
import { IDEMPOTENCY_KEY, offsetRequestBody } from './offset-request.js';

/** The schemas of offsets by their names in the document. */
export const OFFSET_SCHEMAS = {
  NewOffset: offsetRequestBody,
  AcceptedOffset: acceptedView,
  Offset: offsetView,
  QueuedOffset: queuedOffsetView,
  Retirement: retirementView,
  Failure: failureView,
};

const ID = 'off_89t0dkkrevy5cfdqvb6rk9w000';

const completed: OffsetView = {
  id: ID,
  status: 'completed',
  kgCO2e: 1234.5,
  credits: 1.2345,
  customerRef: 'user-7',
  creditsMatched: 1.2345,
  retirements: [
    {
      asset: 'proj_vcs-12',
      ticker: 'VCS-12-2016',
      address: '0xec4db7105af6f096640217d5efc68bc808f9c641',
      vintages: [2012, 2013, 2014, 2015, 2016],
      credits: 1.2345,
      price: 2.07,
      cost: 2.555415,
    },
  ],
  cost: 2.555415,
  currency: 'USD',
  createdAt: '2026-11-21T20:04:23.284Z',
  updatedAt: '2026-11-21T20:04:23.640Z',
  completedAt: '2026-11-21T20:04:23.640Z',
};

const failed: OffsetView = {
  id: 'off_01m7zvbky9aknqk9ng7m7jkpsk',
  status: 'failed',
  kgCO2e: 1,
  credits: 0.001,
  creditsMatched: 0,
  retirements: [],
  estimateId: 'est_01m7zvbfgqp8maf2d0aywgp39y',
  failure: {
    code: 'estimate_not_found',
    detail: 'This account has no estimate with that id. Nothing was retired; leave estimateId out, or name another.',
  },
  createdAt: '2026-11-21T20:04:27.721Z',
  updatedAt: '2026-11-21T20:04:27.745Z',
  failedAt: '2026-11-21T20:04:27.745Z',
};

/** Bodies of `POST /v1/offsets`. */
export const OFFSET_REQUEST_EXAMPLES = {
  weight: { summary: 'A weight, and nothing else', value: { kgCO2e: 1234.5 } },
  everything: {
    summary: 'At the prices of an estimate, for a customer',
    value: { kgCO2e: 1000, estimateId: 'est_01m7zvbfgqp8maf2d0aywgp39y', customerRef: 'user-7' },
  },
};

const idempotencyKey: ZodOpenApiParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Identifies one request. The same key gives the same offset however often it is sent, so a request whose response was lost can be sent again.',
  schema: { type: 'string', pattern: IDEMPOTENCY_KEY.source },
};

const id = offsetIdSchema.meta({
  description: 'The id of one offset. With it, the response is that offset, and no other parameter may be sent.',
});

/** `/v1/offsets`. */
export const OFFSET_PATHS: ZodOpenApiPathsObject = {
  '/v1/offsets': {
    post: operation({
      operationId: 'createOffset',
      tag: 'Offsets',
      summary: 'Create an offset',
      description:
        'Requests that credits be retired to offset emissions of this weight. The response is sent once the request is stored durably and queued for processing. With an `Idempotency-Key` it can be repeated safely; the same key with another body is refused.',
      scope: 'offsets:write',
      parameters: [idempotencyKey],
      body: { schema: offsetRequestBody, examples: OFFSET_REQUEST_EXAMPLES },
      success: {
        status: 202,
        description: 'Queued for processing.',
        schema: acceptedView,
        headers: ['Location', 'Idempotency-Replayed'],
        examples: {
          accepted: {
            summary: 'Queued',
            value: { message: `Offset event with ID: ${ID} queued for processing.` } satisfies AcceptedView,
          },
        },
      },
      problems: [
        invalidBody('A misspelled member, and an empty one', '/v1/offsets', offsetRequestBody, {
          kgCo2e: 1234.5,
          customerRef: '',
        }),
        'idempotency_key_reused',
        'not_accepted',
        'outcome_unknown',
      ],
    }),
    get: operation({
      operationId: 'readOffsets',
      tag: 'Offsets',
      summary: 'Read one offset, or list all',
      description:
        'With `id`: that offset. An accepted id is never a 404: until the offset is recorded, its status is queued. Without: the recorded offsets, newest first, in pages; `Link` leads to the next.',
      scope: 'offsets:read',
      parameters: queryParameters({ id: optional(id), ...LIST_PARAMETERS }),
      success: {
        description: 'The offset, or a page of the list.',
        schema: z.union([offsetView, queuedOffsetView, z.array(offsetView)]),
        headers: ['Link'],
        examples: {
          completed: { summary: 'One offset, completed', value: completed },
          failed: { summary: 'One offset, failed', value: failed },
          queued: {
            summary: 'One offset, accepted and not recorded yet',
            value: { id: failed.id, status: 'queued' } satisfies QueuedOffsetView,
          },
          list: { summary: 'A page of the list', value: [failed, completed] },
        },
      },
      problems: [
        invalidUrl('A status that does not exist', '/v1/offsets?status=done&limit=0', LIST_PARAMETERS),
        'invalid_cursor',
        'not_found',
      ],
    }),
  },
};
