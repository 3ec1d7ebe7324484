import { MUTANTS, randomFields } from '@carbon/criteria/golden';
import { testEngines } from '@carbon/testing';
import { queryOf, type TestIndex, testCriteriaIndex } from './test-criteria-index.js';
import { COUNT, DOCUMENTS, drawCriteria, expectedIds, isAccepted, SEED } from './test-random-criteria.js';

describe(`comparing ${COUNT} random criteria with OpenSearch, seed ${SEED}`, () => {
  let index: TestIndex;
  const criteria = drawCriteria(COUNT).filter(isAccepted);

  beforeAll(async () => {
    index = await testCriteriaIndex({
      url: testEngines().opensearchUrl,
      fields: randomFields,
      documents: DOCUMENTS,
    });
  });

  afterAll(() => index.close());

  it.each(MUTANTS)('finds out a compiler that $name', async ({ spoil }) => {
    const spoilt = criteria.flatMap((written) => {
      const right = queryOf(written.text, randomFields);
      const wrong = spoil(right, written);
      return JSON.stringify(wrong) === JSON.stringify(right) ? [] : [{ written, wrong }];
    });
    const found = await index.idsOf(spoilt.map(({ wrong }) => wrong));
    const caught = spoilt.filter(({ written }, place) => found[place]?.join() !== expectedIds(written).join());
    expect(caught.length).toBeGreaterThan(0);
  });
});
