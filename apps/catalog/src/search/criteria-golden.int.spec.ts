import { golden, goldenFields } from '@carbon/criteria/golden';
import { testEngines } from '@carbon/testing';
import { queryOf, type TestIndex, testCriteriaIndex } from './test-criteria-index.js';

describe('the criteria language on OpenSearch', () => {
  let index: TestIndex;

  beforeAll(async () => {
    index = await testCriteriaIndex({
      url: testEngines().opensearchUrl,
      fields: goldenFields,
      documents: golden.documents,
    });
  });

  afterAll(() => index.close());

  it('has a fixture of eight documents and at least 44 examples', () => {
    expect(golden.documents).toHaveLength(8);
    expect(golden.valid.length).toBeGreaterThanOrEqual(44);
  });

  it.each(golden.valid)('selects $matches by $criteria', async ({ criteria, matches }) => {
    expect(await index.idsOf([queryOf(criteria, goldenFields)])).toEqual([[...matches].sort()]);
  });
});
