import { randomFields } from '@carbon/criteria/golden';
import { type RunningEngines, startEngines, type TemporaryDir, temporaryDir } from '@carbon/local';
import { z } from 'zod';
import { type TestIndex, testCriteriaIndex } from './test-criteria-index.js';
import { COUNT, DOCUMENTS, drawCriteria, firstDifference, isAccepted, SEED } from './test-random-criteria.js';

/**
 * OpenSearch can rewrite queries before it runs them. That is off unless someone turns it on, for the whole cluster; so
 * this has an engine of its own.
 */
describe(`random criteria where OpenSearch rewrites queries, seed ${SEED}`, () => {
  let dir: TemporaryDir;
  let engines: RunningEngines;
  let index: TestIndex;

  beforeAll(async () => {
    dir = await temporaryDir();
    engines = await startEngines({ dir: dir.dir, which: ['opensearch'], shortLived: true });
    const url = z.string().parse(engines.addresses.opensearchUrl);
    index = await testCriteriaIndex({ url, fields: randomFields, documents: DOCUMENTS, shards: 2 });
    const body = { persistent: { 'search.query_rewriting.enabled': true } };
    const accepted = z.object({ persistent: z.object({ search: z.unknown() }) });
    await index.openSearch.ask({ method: 'PUT', path: '/_cluster/settings', body }, accepted, 10_000);
  }, 120_000);

  afterAll(async () => {
    await index.close();
    await engines.stop();
    dir.remove();
  });

  it(`select what they were written to mean (${COUNT} of them)`, async () => {
    expect(await firstDifference(index, drawCriteria(COUNT).filter(isAccepted))).toBeUndefined();
  });
});
