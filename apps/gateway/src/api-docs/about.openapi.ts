import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { operation, type Success } from './operation.js';
import { get } from './problem-examples.js';
import { PROBLEM_CODES } from './problem-schemas.js';

const dependencies = z
  .record(z.string(), z.enum(['up', 'down']))
  .optional()
  .meta({ description: 'Whether each dependency answers. Present only if the gateway has no management port.' });

const PAGE: Success = {
  description: 'An HTML page.',
  type: 'text/html',
  schema: { type: 'string' },
  headers: ['ETag'],
};

/** The public routes outside the API. */
export const ABOUT_PATHS: ZodOpenApiPathsObject = {
  '/health/live': {
    get: operation({
      operationId: 'isLive',
      tag: 'About',
      summary: 'Liveness',
      success: {
        description: 'The process is alive.',
        schema: z.object({ state: z.literal('live') }),
        examples: { live: { summary: 'Live', value: { state: 'live' }, 'x-request': get('/health/live') } },
      },
    }),
  },
  '/health/ready': {
    get: operation({
      operationId: 'isReady',
      tag: 'About',
      summary: 'Readiness',
      success: {
        description: 'The gateway accepts requests.',
        schema: z.object({ state: z.literal('ready'), dependencies }),
        examples: {
          ready: {
            summary: 'Ready',
            value: { state: 'ready', dependencies: { kafka: 'up', offsets: 'up', catalog: 'up' } },
          },
        },
      },
      problems: ['service_unavailable'],
    }),
  },
  '/openapi.json': {
    get: operation({
      operationId: 'getDescription',
      tag: 'About',
      summary: 'This description',
      success: {
        description: 'The OpenAPI 3.1 description of the API.',
        schema: { type: 'object' },
        headers: ['ETag'],
      },
    }),
  },
  '/problems': {
    get: operation({ operationId: 'listProblems', tag: 'About', summary: 'List all problems', success: PAGE }),
  },
  '/problems/{code}': {
    get: operation({
      operationId: 'explainProblem',
      tag: 'About',
      summary: 'Explain a problem',
      description:
        'The page that explains a code: the `code` of a problem, whose `type` is the URL of the page, or one of its `errors`.',
      parameters: [
        {
          name: 'code',
          in: 'path',
          required: true,
          description: `The \`code\` of a problem or of one of its errors, such as ${PROBLEM_CODES.slice(0, 3).join(', ')}.`,
          schema: { type: 'string', maxLength: 64, examples: [PROBLEM_CODES[0]] },
        },
      ],
      success: PAGE,
      problems: ['not_found'],
    }),
  },
};
