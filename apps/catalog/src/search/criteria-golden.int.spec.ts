import { compile } from '@carbon/criteria';
import { golden, goldenFields, goldenIndex } from '@carbon/criteria/golden';
import { freshPrefix, testEngines } from '@carbon/testing';
import { z } from 'zod';
import { OpenSearch } from '../open-search/open-search.js';

const found = z.object({ hits: z.object({ hits: z.array(z.object({ _source: z.object({ id: z.string() }) })) }) });

describe('the criteria language on OpenSearch', () => {
  const openSearch = new OpenSearch(testEngines().opensearchUrl);
  const index = `${freshPrefix()}golden`;

  beforeAll(async () => {
    await openSearch.ask({ method: 'PUT', path: `/${index}`, body: goldenIndex }, z.unknown(), 10_000);
    const lines = golden.documents.map(({ ...document }) => {
      return `${JSON.stringify({ index: { _index: index, _id: document.id } })}\n${JSON.stringify(document)}\n`;
    });
    const stored = z.object({ errors: z.literal(false) });
    await openSearch.ask(
      { method: 'POST', path: '/_bulk', query: { refresh: true }, lines: lines.join('') },
      stored,
      10_000,
    );
  });

  afterAll(() => openSearch.close());

  it('has a fixture of eight documents', () => {
    expect(golden.documents).toHaveLength(8);
    expect(golden.valid.length).toBeGreaterThan(30);
  });

  it.each(golden.valid)('selects $matches by $criteria', async ({ criteria, matches }) => {
    const compiled = compile(criteria, goldenFields);
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors));
    const body = { query: { bool: { filter: [compiled.query] } }, size: 100 };
    const { hits } = await openSearch.ask({ method: 'POST', path: `/${index}/_search`, body }, found, 2_000);
    expect(hits.hits.map(({ _source }) => _source.id).sort()).toEqual([...matches].sort());
  });
});
