import { ASSET_FIELDS, type AssetField } from '@carbon/contracts';
import { compile, criteriaFields } from '@carbon/criteria';
import { gatewayRequest, REPEATED, SEARCHES } from './queries.js';

const fields = criteriaFields(
  Object.entries<AssetField>(ASSET_FIELDS)
    .filter(([, { on }]) => on.includes('PROJECT'))
    .map(([name, { type, multi = false, exact = false }]) => ({ name, type, multi, exact })),
);

describe('the searches that are measured', () => {
  it.each(SEARCHES)('are criteria that are accepted: $criteria', ({ criteria }) => {
    expect(compile(criteria.replace('{n}', '123457'), fields)).toMatchObject({ ok: true });
  });

  it.each(SEARCHES)('select the same whatever the number is: $criteria', ({ criteria }) => {
    // A rating has one decimal and a price two: behind a further 5 nothing lies between two numbers.
    expect(criteria.match(/rating (>|>=|<) \d\.\d5\{n\}|price (>|>=|<|<=) \d+\.\d{2}5\{n\}/g)).toHaveLength(1);
    expect(criteria.match(/\{n\}/g)).toHaveLength(1);
  });

  it('are twenty, all different, one of which is asked again and again', () => {
    expect(new Set(SEARCHES.map((search) => gatewayRequest(search).path)).size).toBe(20);
    expect(SEARCHES[REPEATED]?.fullTextSearch).toBeDefined();
  });

  it('are encoded for a URL, but for the place of the number', () => {
    expect(gatewayRequest({ criteria: 'price < 1.005{n}', fullTextSearch: '"a&b"' })).toEqual({
      method: 'GET',
      path: '/v1/assets/projects?criteria=price%20%3C%201.005{n}&fullTextSearch=%22a%26b%22',
    });
  });
});
