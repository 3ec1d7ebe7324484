import { UserFault } from '@carbon/faults';
import { criteriaFilter } from './criteria-filter.js';

function faultOf(criteria: string, type: 'POOL' | 'PROJECT' = 'POOL'): UserFault {
  try {
    criteriaFilter(criteria, type);
  } catch (error) {
    if (error instanceof UserFault) return error;
    throw error;
  }
  throw new Error('it was taken');
}

describe('criteriaFilter', () => {
  it('compiles criteria for the fields of the type', () => {
    expect(criteriaFilter('source: TOUCAN and ticker in (BCT, NCT)', 'POOL').query).toEqual({
      bool: { filter: [{ term: { source: { value: 'TOUCAN' } } }, { terms: { ticker: ['BCT', 'NCT'] } }] },
    });
  });

  it('points at the mistake', () => {
    const fault = faultOf('tiker:BCT');
    expect(fault.code).toBe('invalid_criteria');
    expect(fault.items).toEqual([
      expect.objectContaining({
        field: 'criteria',
        code: 'unknown_field',
        position: 0,
        length: 5,
        suggestion: 'ticker',
      }),
    ]);
    expect(fault.members.snippet).toBe('tiker:BCT\n^^^^^');
  });

  it('tells several at once', () => {
    expect(faultOf('registry_id:1 and ratng>3 and vintages:20x9').items.map(({ code }) => code)).toEqual([
      'unknown_field',
      'unknown_field',
      'invalid_value',
    ]);
  });

  it('says where a field is that only projects have', () => {
    expect(JSON.stringify(faultOf('country:Brazil').items)).toContain('projects');
    expect(criteriaFilter('country:Brazil', 'PROJECT').canonical).toBe('country = "Brazil"');
  });
});
