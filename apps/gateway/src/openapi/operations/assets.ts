import { type AssetType, assetView, librarySchemaView, searchParametersOf } from '@carbon/contracts';
import { z } from 'zod';
import type { ZodOpenApiPathItemObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { success, UNCHANGED } from '../answers.js';
import { CRITERIA, FIELDS, FOUND } from '../examples/found.js';
import { INVALID_REQUESTS } from '../examples/invalid-requests.js';
import { IF_NONE_MATCH, keyed, REQUEST_ID } from '../keyed.js';
import { queryParameters } from '../question-parameters.js';
import { refusals } from '../refusals.js';

/** An element of the answer of either search. */
export const ASSET_VIEWS = { POOL: assetView('POOL'), PROJECT: assetView('PROJECT') } as const;

const SEARCHES = {
  POOL: { operationId: 'searchPools', what: 'pools' },
  PROJECT: { operationId: 'searchProjects', what: 'projects' },
} as const;

function search(type: AssetType): ZodOpenApiPathItemObject {
  const { operationId, what } = SEARCHES[type];
  return {
    get: {
      operationId,
      tags: ['Assets'],
      summary: `Search for ${what}`,
      ...keyed(
        'assets:read',
        `The ${what} that fit the criteria and the full text, in pages; \`Link\` leads to the next. Both parameters must be sent and may be empty.`,
      ),
      parameters: [
        ...queryParameters(searchParametersOf(type), { criteria: CRITERIA[type], fullTextSearch: '' }),
        IF_NONE_MATCH,
        REQUEST_ID,
      ],
      responses: {
        '200': success({
          description: `A page of ${what}.`,
          schema: z.array(ASSET_VIEWS[type]),
          headers: ['X-Total-Count', 'Link', 'ETag', 'Age'],
          examples: FOUND[type],
        }),
        '304': UNCHANGED,
        ...refusals({
          own: [INVALID_REQUESTS[operationId], 'invalid_criteria', 'invalid_cursor', 'service_unavailable'],
        }),
      },
    },
  };
}

/** `/v1/assets`. */
export const ASSET_PATHS: ZodOpenApiPathsObject = {
  '/v1/assets/pools': search('POOL'),
  '/v1/assets/projects': search('PROJECT'),
  '/v1/assets/schema': {
    get: {
      operationId: 'describeFields',
      tags: ['Assets'],
      summary: 'What can be searched for',
      ...keyed('assets:read', 'The fields that `criteria` may name, with their operators and commonest values.'),
      parameters: [IF_NONE_MATCH, REQUEST_ID],
      responses: {
        '200': success({
          description: 'The fields.',
          schema: librarySchemaView,
          headers: ['ETag', 'Age'],
          examples: FIELDS,
        }),
        '304': UNCHANGED,
        ...refusals({ own: [INVALID_REQUESTS.describeFields, 'service_unavailable'] }),
      },
    },
  },
};
