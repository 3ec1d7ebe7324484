import {
  type AssetType,
  assetView,
  clauseHintView,
  fieldSchemaView,
  HINTS_PARAMETERS,
  kindSchemaView,
  type LibrarySchema,
  librarySchemaView,
  nearValuesView,
  type SearchHints,
  searchHintsView,
  searchParametersOf,
} from '@carbon/contracts';
import { operatorsOf } from '@carbon/criteria';
import { z } from 'zod';
import type { ZodOpenApiPathItemObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { queryParameters } from '../api-docs/openapi-parameters.js';
import { type Examples, operation } from '../api-docs/operation.js';
import { get, invalidUrl } from '../api-docs/problem-examples.js';
import { FACET_PATHS, FACET_SCHEMAS } from './facets.openapi.js';

const VIEWS = { POOL: assetView('POOL'), PROJECT: assetView('PROJECT') } as const;

/** The schemas of assets by their names in the document. */
export const ASSET_SCHEMAS = {
  Pool: VIEWS.POOL,
  Project: VIEWS.PROJECT,
  LibrarySchema: librarySchemaView,
  KindSchema: kindSchemaView,
  FieldSchema: fieldSchemaView,
  SearchHints: searchHintsView,
  ClauseHint: clauseHintView,
  NearValues: nearValuesView,
  ...FACET_SCHEMAS,
};

/** Criteria that find something in the initial library. */
const CRITERIA = {
  POOL: 'source: TOUCAN and rating >= 2',
  PROJECT: 'price <= 5 and vintages >= 2015',
} as const;

function searchUrl(name: string, criteria: string): string {
  return `/v1/assets/${name}?criteria=${encodeURIComponent(criteria)}&fullTextSearch=&limit=1`;
}

const FOUND = {
  POOL: {
    found: {
      summary: CRITERIA.POOL,
      'x-request': get(searchUrl('pools', CRITERIA.POOL)),
      value: [
        {
          ticker: 'REDD',
          address: '0x1309274234D626aB8e49F49165c2061f07c7E172',
          source: 'TOUCAN',
          description: 'Toucan pool contract over ERC-1155 credits, deployed on Polygon.',
          rating: 4,
          name: 'REDD',
        },
      ],
    },
    none: { summary: 'Nothing fits', value: [] },
  },
  PROJECT: {
    found: {
      summary: CRITERIA.PROJECT,
      'x-request': get(searchUrl('projects', CRITERIA.PROJECT)),
      value: [
        {
          ticker: 'VCS-493-2018',
          address: '0xaa294e91113f364ede0d70d9bd627ce0266a2e42',
          source: 'VERRA',
          description:
            'Renewable Energy project in India, listed with Verra as VCS-493. Project type: hydropower. Methodology: AMS-I.D.. Vintages: 2008, 2010–2018. Token of the latest vintage: VCS-493-2018, on Polygon.',
          rating: 4.9,
          name: '5 MW Brahm Ganga Hydro – Electric Project at Kullu district of Himachal Pradesh, India',
        },
      ],
    },
    none: { summary: 'Nothing fits', value: [] },
  },
} as const satisfies Readonly<Record<string, Examples>>;

const INDEXED = '2026-11-21T20:04:05.186Z';

const FIELDS = {
  abridged: {
    summary: 'Abridged: one field of each',
    value: {
      pools: {
        total: 7,
        indexedAt: INDEXED,
        fields: [
          {
            name: 'source',
            type: 'keyword',
            multi: false,
            operators: [...operatorsOf({ name: 'source', type: 'keyword', multi: false })],
            description: 'where the asset comes from, an upper-case word',
            values: [
              { value: 'TOUCAN', count: 4 },
              { value: 'C3', count: 2 },
              { value: 'MOSS', count: 1 },
            ],
          },
        ],
      },
      projects: {
        total: 289,
        indexedAt: INDEXED,
        fields: [
          {
            name: 'rating',
            type: 'number',
            multi: false,
            operators: [...operatorsOf({ name: 'rating', type: 'number', multi: false })],
            description: 'rating, 0 to 5 in the library that comes with the service',
            min: 0.5,
            max: 5,
          },
        ],
      },
    } satisfies LibrarySchema,
  },
};

const HINTS_CRITERIA = 'country: Brasil and vintages >= 2015';
const HINTS = {
  typo: {
    summary: HINTS_CRITERIA,
    'x-request': get(`/v1/assets/hints?kind=projects&criteria=${encodeURIComponent(HINTS_CRITERIA)}&fullTextSearch=`),
    value: {
      total: 0,
      clauses: [
        {
          parameter: 'criteria',
          text: 'country = "Brasil"',
          total: 0,
          values: [{ field: 'country', value: 'Brasil', near: ['Brazil'] }],
        },
        { parameter: 'criteria', text: 'vintages >= 2015', total: 139 },
      ],
    } satisfies SearchHints,
  },
};

const SEARCHES = {
  POOL: {
    operationId: 'searchPools',
    name: 'pools',
    cause: 'Only one of the two parameters',
    invalid: '/v1/assets/pools?criteria=&limit=1000',
  },
  PROJECT: {
    operationId: 'searchProjects',
    name: 'projects',
    cause: 'An & that is not encoded',
    invalid: '/v1/assets/projects?criteria=country:BR&&rating>3&fullTextSearch=',
  },
} as const;

function search(type: AssetType): ZodOpenApiPathItemObject {
  const { operationId, name, cause, invalid } = SEARCHES[type];
  return {
    get: operation({
      operationId,
      tag: 'Assets',
      summary: `Search for ${name}`,
      description: `The ${name} that match the criteria and the full text, in pages; \`Link\` leads to the next. Both parameters must be sent and may be empty.`,
      scope: 'assets:read',
      parameters: queryParameters(searchParametersOf(type), { criteria: CRITERIA[type], fullTextSearch: '' }),
      success: {
        description: `A page of ${name}.`,
        schema: z.array(VIEWS[type]),
        headers: ['X-Total-Count', 'X-Search-Hints', 'Link', 'ETag', 'Age'],
        examples: FOUND[type],
      },
      problems: [invalidUrl(cause, invalid, searchParametersOf(type)), 'invalid_criteria', 'invalid_cursor'],
    }),
  };
}

/** `/v1/assets`. */
export const ASSET_PATHS: ZodOpenApiPathsObject = {
  '/v1/assets/pools': search('POOL'),
  '/v1/assets/projects': search('PROJECT'),
  '/v1/assets/schema': {
    get: operation({
      operationId: 'describeFields',
      tag: 'Assets',
      summary: 'Describe the searchable fields',
      description: 'The fields that `criteria` may name, with their operators and most frequent values.',
      scope: 'assets:read',
      success: { description: 'The fields.', schema: librarySchemaView, headers: ['ETag', 'Age'], examples: FIELDS },
      problems: [invalidUrl('A parameter where there are none', '/v1/assets/schema?fields=id', {})],
    }),
  },
  '/v1/assets/hints': {
    get: operation({
      operationId: 'explainSearch',
      tag: 'Assets',
      summary: 'Explain why a search finds nothing',
      description:
        'How many assets each clause of a search matches alone and, for a clause that matches nothing, similar values of its fields. `X-Search-Hints` of a search that finds nothing has the URL.',
      scope: 'assets:read',
      parameters: queryParameters(HINTS_PARAMETERS, {
        kind: 'projects',
        criteria: HINTS_CRITERIA,
        fullTextSearch: '',
      }),
      success: { description: 'The clauses.', schema: searchHintsView, headers: ['ETag', 'Age'], examples: HINTS },
      problems: [
        invalidUrl('No such kind', '/v1/assets/hints?kind=pool&criteria=&fullTextSearch=', HINTS_PARAMETERS),
        'invalid_criteria',
      ],
    }),
  },
  ...FACET_PATHS,
};
