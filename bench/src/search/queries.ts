import type { LoadRequest } from '../load/load.js';

/** One search of the projects. */
interface Search {
  readonly criteria: string;
  readonly fullTextSearch?: string;
}

/**
 * Twenty typical searches: criteria alone, words with criteria, words with almost no criteria. Each has a bound that
 * ends in `{n}`, six digits that do not change the result: ratings have one decimal and prices two, so none lies
 * between 3.05 and 3.06. Each request therefore misses every cache, and repetitions of a search need the same work.
 */
export const SEARCHES: readonly Search[] = [
  { criteria: 'rating >= 3.05{n}' },
  { criteria: 'country:Brazil and rating >= 2.05{n}' },
  { criteria: 'source:VERRA and rating > 4.05{n} and active:true' },
  { criteria: 'country in (Kenya, Peru, Colombia) and price < 12.345{n}' },
  { criteria: 'categories:"Renewable Energy" and vintages:2016 and rating >= 3.55{n}' },
  { criteria: 'source:PURO_EARTH and price <= 140.005{n}' },
  { criteria: '(country:India or country:China) and not categories:wind and rating >= 4.05{n}' },
  { criteria: 'methodologies:ACM0002 and vintages >= 2012 and issued >= 900000 and rating < 4.95{n}' },
  { criteria: 'name:hydropower and country != China and rating >= 1.05{n}' },
  { criteria: 'source != VERRA and registryId:* and price > 3.005{n}' },
  { criteria: 'rating >= 2.05{n}', fullTextSearch: 'wind farm' },
  { criteria: 'country:India and price < 8.005{n}', fullTextSearch: 'solar' },
  { criteria: 'active:true and rating >= 3.05{n}', fullTextSearch: 'biomass power' },
  { criteria: 'source:VERRA and price >= 2.005{n}', fullTextSearch: '"hydropower project"' },
  { criteria: 'categories:Forestry and rating >= 1.55{n}', fullTextSearch: 'redd conservation' },
  { criteria: 'vintages:2015 and price < 20.005{n}', fullTextSearch: 'turkey wind' },
  { criteria: 'price < 900.005{n}', fullTextSearch: 'biochar' },
  { criteria: 'price < 901.005{n}', fullTextSearch: 'landfill gas' },
  { criteria: 'price < 902.005{n}', fullTextSearch: 'karnataka' },
  { criteria: 'price < 903.005{n}', fullTextSearch: 'mangroves' },
];

/** The index of the search to repeat: words and criteria, of medium cost. */
export const REPEATED = 12;

/** Returns the search as a request to the gateway. */
export function gatewayRequest({ criteria, fullTextSearch = '' }: Search): LoadRequest {
  const query = `criteria=${encoded(criteria)}&fullTextSearch=${encoded(fullTextSearch)}`;
  return { method: 'GET', path: `/v1/assets/projects?${query}` };
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll('%7Bn%7D', '{n}');
}
