import type { AssetType } from '@carbon/contracts';
import { eventually, testEngines } from '@carbon/testing';
import { z } from 'zod';
import { KINDS } from './indexing/generation.js';
import { OpenSearch } from './open-search/open-search.js';
import { criteriaFilter } from './search/criteria-filter.js';
import { startCatalog, type TestCatalog, type TestLibrary, testLibrary } from './test-catalog.js';
import { acceptedExamples, findsText, starterLibrary, textOf } from './test-criteria-page.js';

const EXAMPLES = acceptedExamples(textOf('docs/criteria.md'));
const LIBRARY = starterLibrary();
const found = z.object({ hits: z.object({ hits: z.array(z.object({ _id: z.string() })) }) });

describe('docs/criteria.md, on OpenSearch', () => {
  const openSearch = new OpenSearch(testEngines().opensearchUrl);
  let library: TestLibrary;
  let catalog: TestCatalog;

  const select = async (query: object, type: AssetType) => {
    const path = `/${library.prefix}${KINDS[type]}/_search`;
    const body = { query: { bool: { filter: [query] } }, size: LIBRARY.length, _source: false };
    const { hits } = await openSearch.ask({ method: 'POST', path, body }, found, 10_000);
    const ids = new Set(hits.hits.map(({ _id: id }) => id));
    return LIBRARY.filter(({ id }) => ids.has(id));
  };

  beforeAll(async () => {
    library = await testLibrary();
    await library.publish(...LIBRARY);
    catalog = await startCatalog(library.prefix);
    await catalog.ready();
    await eventually(async () => expect(await select({ match_all: {} }, 'PROJECT')).toHaveLength(289));
  });

  afterAll(async () => {
    await catalog.close();
    await library.close();
    await openSearch.close();
  });

  it.each(EXAMPLES)('says what $criteria finds', async ({ criteria, type, finds }) => {
    const all = LIBRARY.filter((asset) => asset.type === type);
    const selected = await select(criteriaFilter(criteria, type).query, type);
    expect(findsText(type, selected, all.length)).toBe(finds);
  });
});
