import { PROBLEMS } from '@carbon/http';
import { z } from 'zod';
import type { ZodOpenApiPathsObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { headers } from '../answer-headers.js';
import { openSuccess } from '../answers.js';
import { got } from '../examples/refused.js';
import { IF_NONE_MATCH, REQUEST_ID } from '../keyed.js';
import { FAULT_CODES } from '../problems/problem-views.js';
import { refusals } from '../refusals.js';

const states = z
  .record(z.string(), z.enum(['up', 'down']))
  .meta({ description: 'Whether each dependency answers; told only where the gateway has no port for management.' });

const UNCHANGED_FILE: ZodOpenApiResponseObject = {
  description: 'What `If-None-Match` names is still the answer.',
  headers: headers('X-Request-Id', 'Cache-Control', 'ETag'),
};

const file = (description: string, type: string, schema: object): ZodOpenApiResponseObject => ({
  description,
  headers: headers('X-Request-Id', 'Cache-Control', 'ETag'),
  content: { [type]: { schema } },
});

const PAGE = file('A page for people.', 'text/html', { type: 'string' });
const OPEN = { security: [] };

/** What is served beside the API, to everybody. */
export const PATHS_AROUND: ZodOpenApiPathsObject = {
  '/health/live': {
    get: {
      ...OPEN,
      operationId: 'isLive',
      tags: ['About'],
      summary: 'Whether the process lives',
      parameters: [REQUEST_ID],
      responses: {
        '200': openSuccess({
          description: 'It does.',
          schema: z.object({ state: z.literal('live') }),
          examples: { live: { summary: 'Live', value: { state: 'live' }, 'x-request': got('/health/live') } },
        }),
        ...refusals({ own: [], keyed: false }),
      },
    },
  },
  '/health/ready': {
    get: {
      ...OPEN,
      operationId: 'isReady',
      tags: ['About'],
      summary: 'Whether it should be given requests',
      parameters: [REQUEST_ID],
      responses: {
        '200': openSuccess({
          description: 'It should.',
          schema: z.object({ state: z.literal('ready'), dependencies: states.optional() }),
          examples: {
            ready: {
              summary: 'Ready',
              value: { state: 'ready', dependencies: { kafka: 'up', offsets: 'up', catalog: 'up' } },
            },
          },
        }),
        ...refusals({ own: ['service_unavailable'], keyed: false }),
      },
    },
  },
  '/openapi.json': {
    get: {
      ...OPEN,
      operationId: 'getDescription',
      tags: ['About'],
      summary: 'This description',
      parameters: [IF_NONE_MATCH, REQUEST_ID],
      responses: {
        '200': file('OpenAPI 3.1.', 'application/json', { type: 'object' }),
        '304': UNCHANGED_FILE,
        ...refusals({ own: [], keyed: false }),
      },
    },
  },
  '/problems': {
    get: {
      ...OPEN,
      operationId: 'listProblems',
      tags: ['About'],
      summary: 'Everything that can go wrong',
      parameters: [IF_NONE_MATCH, REQUEST_ID],
      responses: { '200': PAGE, '304': UNCHANGED_FILE, ...refusals({ own: [], keyed: false }) },
    },
  },
  '/problems/{code}': {
    get: {
      ...OPEN,
      operationId: 'explainProblem',
      tags: ['About'],
      summary: 'One of them explained',
      description: 'What the `type` of a problem document points to, and each `code` of its `errors`.',
      parameters: [
        {
          name: 'code',
          in: 'path',
          required: true,
          description: `The \`code\` of a problem or of one of its mistakes, such as ${FAULT_CODES.slice(0, 3).join(', ')}.`,
          schema: { type: 'string', maxLength: 64, examples: [Object.keys(PROBLEMS)[0]] },
        },
        IF_NONE_MATCH,
        REQUEST_ID,
      ],
      responses: { '200': PAGE, '304': UNCHANGED_FILE, ...refusals({ own: ['not_found'], keyed: false }) },
    },
  },
};
