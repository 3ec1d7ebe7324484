import { startCatalog, type TestCatalog, type TestLibrary, testLibrary } from '../../test-catalog.js';
import { JUDGED_QUERIES, type JudgedQuery, rankOf, STARTER_LIBRARY } from './test-judged-queries.js';

describe('full text over the starter library', () => {
  let library: TestLibrary;
  let catalog: TestCatalog;
  const ranks = new Map<JudgedQuery, number>();

  beforeAll(async () => {
    library = await testLibrary();
    await library.publish(...STARTER_LIBRARY);
    catalog = await startCatalog(library.prefix);
    await catalog.ready();
    for (const judged of JUDGED_QUERIES) ranks.set(judged, rankOf(judged, await find(judged)));
  });

  afterAll(async () => {
    await catalog.close();
    await library.close();
  });

  const find = async ({ kind, query }: JudgedQuery) => {
    const found = await catalog.search(kind, { fullTextSearch: query, fields: 'id', limit: 100 });
    return found.flatMap(({ id }) => STARTER_LIBRARY.filter((asset) => asset.id === id));
  };

  it.each(JUDGED_QUERIES.filter(({ because }) => because === undefined))(
    'finds first what is meant by $query ($about)',
    (judged) => {
      expect(ranks.get(judged)).toBe(1);
    },
  );

  it.each(JUDGED_QUERIES.filter(({ because }) => because !== undefined))(
    'does not find first what is meant by $query: $because',
    (judged) => {
      expect(ranks.get(judged)).toBe(judged.rank);
    },
  );

  it('ranks what is meant first nearly always', () => {
    const reciprocal = [...ranks.values()].map((rank) => (rank === 0 ? 0 : 1 / rank));
    const mean = reciprocal.reduce((sum, one) => sum + one, 0) / reciprocal.length;
    process.stdout.write(`mean reciprocal rank of ${reciprocal.length} judged queries: ${mean.toFixed(3)}\n`);
    expect(mean).toBeGreaterThanOrEqual(0.97);
  });
});
