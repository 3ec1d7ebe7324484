import { randomFields } from '@carbon/criteria/golden';
import { testEngines } from '@carbon/testing';
import { type TestIndex, testCriteriaIndex } from './test-criteria-index.js';
import {
  COUNT,
  DOCUMENTS,
  drawCriteria,
  expectedIds,
  firstDifference,
  isAccepted,
  SEED,
} from './test-random-criteria.js';

describe(`random criteria, seed ${SEED}`, () => {
  const indices: TestIndex[] = [];
  const indexOf = async (shards: number) => {
    const url = testEngines().opensearchUrl;
    const index = await testCriteriaIndex({ url, fields: randomFields, documents: DOCUMENTS, shards });
    indices.push(index);
    return index;
  };

  afterAll(() => Promise.all(indices.map((index) => index.close())));

  it(`are taken, and select some documents and not all, or they would prove little (${COUNT} of them)`, () => {
    const accepted = drawCriteria(COUNT).filter(isAccepted);
    expect(accepted.length).toBeGreaterThanOrEqual(COUNT * 0.95);
    const counts = accepted.map((written) => expectedIds(written).length);
    const telling = counts.filter((count) => count > 0 && count < DOCUMENTS.length);
    expect(telling.length).toBeGreaterThanOrEqual(COUNT * 0.8);
  });

  it(`select on OpenSearch what they were written to mean (${COUNT} of them)`, async () => {
    const index = await indexOf(1);
    expect(await firstDifference(index, drawCriteria(COUNT).filter(isAccepted))).toBeUndefined();
  });

  it(`select the same from several shards, and once their segments are merged (${COUNT} of them)`, async () => {
    const index = await indexOf(3);
    const criteria = drawCriteria(COUNT).filter(isAccepted);
    expect(await firstDifference(index, criteria)).toBeUndefined();
    await index.merge();
    expect(await firstDifference(index, criteria)).toBeUndefined();
  });
});
