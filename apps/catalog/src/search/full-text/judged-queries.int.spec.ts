import { catalogWith } from '../../test-catalog-with.js';
import { JUDGED_QUERIES, type JudgedQuery, rankOf, STARTER_LIBRARY } from './test-judged-queries.js';

describe('full text over the starter library', () => {
  const { catalog } = catalogWith(...STARTER_LIBRARY);
  const ranks = new Map<JudgedQuery, number>();

  beforeAll(async () => {
    for (const judged of JUDGED_QUERIES) ranks.set(judged, rankOf(judged, await find(judged)));
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
