import { goldenFields } from '@carbon/criteria/golden';
import { type RunningEngines, startEngines, type TemporaryDir, temporaryDir } from '@carbon/local';
import { z } from 'zod';
import { drawCriteria, firstDifference, queryOf, SEED, testCriteriaIndex } from '../testing/criteria-index.js';
import { EXTREME_CRITERIA } from '../testing/extreme-criteria.js';

/** Every number has one value and all values differ: only then is a must_not rewritten to a must. */
const DENSE = Array.from({ length: 60 }, (_, number) => ({
  id: `d${number}`,
  ticker: `T${number * 5}`,
  rating: number / 10,
  price: 1 + number / 5,
  vintages: [1000 + number * 10],
  sdgs: [number * 5],
}));

/**
 * OpenSearch can rewrite queries before it runs them. That is off by default and is a setting of the whole cluster, so
 * these tests have their own engine.
 */
describe(`criteria where OpenSearch rewrites queries, seed ${SEED}`, () => {
  let dir: TemporaryDir;
  let engines: RunningEngines;

  beforeAll(async () => {
    dir = await temporaryDir();
    engines = await startEngines({ dir: dir.dir, which: ['opensearch'], shortLived: true });
  });

  afterAll(async () => {
    await engines.stop();
    dir.remove();
  });

  it('select what they were generated to mean, and are answered at their limits', async () => {
    const url = z.string().parse(engines.addresses.opensearchUrl);
    const index = await testCriteriaIndex({ url, shards: 2 });
    const dense = await testCriteriaIndex({ url, fields: goldenFields, documents: DENSE });
    const body = { persistent: { 'search.query_rewriting.enabled': true } };
    const accepted = z.object({ persistent: z.object({ search: z.unknown() }) });
    await index.openSearch.request({ method: 'PUT', path: '/_cluster/settings', body }, accepted, 10_000);
    expect(await firstDifference(index, drawCriteria())).toBeUndefined();
    const queries = EXTREME_CRITERIA.map(([, criteria]) => queryOf(criteria, goldenFields));
    expect(await dense.idsOf(queries)).toHaveLength(queries.length);
    await Promise.all([index.close(), dense.close()]);
  });
});
