import { criteriaFields } from './fields.js';

const fields = criteriaFields([
  { name: 'ticker', type: 'keyword', multi: false },
  { name: 'registryId', type: 'keyword', multi: false },
]);

describe('a field', () => {
  it.each(['registryId', 'registryid', 'REGISTRYID'])('is found by its name in any letter case: %s', (name) => {
    expect(fields.find(name)).toMatchObject({ name: 'registryId' });
  });

  it('is not found by a sign that lower case makes a letter of', () => {
    expect(fields.find('tic\u212aer')).toBeUndefined();
  });

  it('cannot share its name with another, in whatever letter case', () => {
    const twice = ['ticker', 'TICKER'].map((name) => ({ name, type: 'keyword', multi: false }) as const);
    expect(() => criteriaFields(twice)).toThrow(RangeError);
  });
});
