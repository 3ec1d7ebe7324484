import {
  COMPLETE_PARAMETERS,
  type Completions,
  completionsView,
  completionView,
  FACETS_PARAMETERS,
  type Facets,
  facetRangeView,
  facetsView,
  facetValueView,
  facetView,
} from '@carbon/contracts';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { queryParameters } from '../api-docs/openapi-parameters.js';
import { operation } from '../api-docs/operation.js';
import { get, invalidUrl } from '../api-docs/problem-examples.js';

/** The schemas of facets by their names in the document. */
export const FACET_SCHEMAS = {
  Facets: facetsView,
  Facet: facetView,
  FacetValue: facetValueView,
  FacetRange: facetRangeView,
  Completions: completionsView,
  Completion: completionView,
};

const CRITERIA = 'country = Brazil';
const EXAMPLES = {
  registries: {
    summary: CRITERIA,
    'x-request': get(
      `/v1/assets/facets?kind=projects&criteria=${encodeURIComponent(CRITERIA)}&fullTextSearch=&fields=registry`,
    ),
    value: {
      total: 11,
      facets: [
        {
          field: 'registry',
          values: [
            { value: 'Verra', count: 10, clause: 'registry = "Verra"' },
            { value: 'Puro.earth', count: 1, clause: 'registry = "Puro.earth"' },
          ],
        },
      ],
    } satisfies Facets,
  },
};
const TYPED = 'country = Bra';
const COMPLETED = {
  value: {
    summary: TYPED,
    'x-request': get(`/v1/assets/complete?kind=projects&criteria=${encodeURIComponent(TYPED)}`),
    value: { completions: [{ insert: '"Brazil"', kind: 'value', from: 10, count: 11, to: 13 }] } satisfies Completions,
  },
};

/** `/v1/assets/facets` and `/v1/assets/complete`. */
export const FACET_PATHS: ZodOpenApiPathsObject = {
  '/v1/assets/facets': {
    get: operation({
      operationId: 'countByField',
      tag: 'Assets',
      summary: 'Count the assets of a search by their fields',
      description:
        'The values of each field among the assets that a search finds, or intervals of them. Each has the number of assets with it, and the clause by which `criteria` finds exactly those.',
      scope: 'assets:read',
      parameters: queryParameters(FACETS_PARAMETERS, {
        kind: 'projects',
        criteria: CRITERIA,
        fullTextSearch: '',
        fields: 'registry',
      }),
      success: { description: 'The facets.', schema: facetsView, headers: ['ETag', 'Age'], examples: EXAMPLES },
      problems: [
        invalidUrl('A parameter is missing', '/v1/assets/facets?kind=projects&criteria=', FACETS_PARAMETERS),
        'invalid_criteria',
      ],
    }),
  },
  '/v1/assets/complete': {
    get: operation({
      operationId: 'completeCriteria',
      tag: 'Assets',
      summary: 'Complete criteria at a caret',
      description:
        'What may stand at a caret in `criteria`, for an editor: fields, operators, keywords, and values of the library. Each of them begins valid criteria. What comes after the caret does not count.',
      scope: 'assets:read',
      parameters: queryParameters(COMPLETE_PARAMETERS, { kind: 'projects', criteria: TYPED }),
      success: {
        description: 'The completions.',
        schema: completionsView,
        headers: ['ETag', 'Age'],
        examples: COMPLETED,
      },
      problems: [
        invalidUrl(
          'A caret before the beginning',
          '/v1/assets/complete?kind=projects&criteria=&caret=-1',
          COMPLETE_PARAMETERS,
        ),
      ],
    }),
  },
};
