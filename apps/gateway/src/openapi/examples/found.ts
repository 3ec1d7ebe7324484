import type { LibrarySchema } from '@carbon/contracts';
import type { Examples } from './answers.js';
import { got } from './refused.js';

/** Criteria that find something in the library as it comes, for each search. */
export const CRITERIA = {
  POOL: 'source: TOUCAN and rating >= 2',
  PROJECT: 'price <= 5 and vintages >= 2015',
} as const;

function address(what: string, criteria: string): string {
  return `/v1/assets/${what}?criteria=${encodeURIComponent(criteria)}&fullTextSearch=&limit=1`;
}

/** Of the two searches. */
export const FOUND = {
  POOL: {
    found: {
      summary: CRITERIA.POOL,
      'x-request': got(address('pools', CRITERIA.POOL)),
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
      'x-request': got(address('projects', CRITERIA.PROJECT)),
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

const SOURCE = {
  name: 'source',
  type: 'keyword',
  multi: false,
  operators: [':', '=', '!=', 'in', 'like', 'exists'],
  description: 'where the asset comes from, an upper-case word',
} as const;

/** Of `GET /v1/assets/schema`. */
export const FIELDS = {
  abridged: {
    summary: 'Abridged: one field of each',
    value: {
      pools: {
        total: 7,
        indexedAt: INDEXED,
        fields: [
          {
            ...SOURCE,
            operators: [...SOURCE.operators],
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
            operators: [':', '=', '!=', '>', '>=', '<', '<=', '..', 'between', 'in', 'exists'],
            description: 'rating, 0 to 5 in the library that comes with the service',
            min: 0.5,
            max: 5,
          },
        ],
      },
    } satisfies LibrarySchema,
  },
};
