import { testEngines } from '@carbon/testing';
import { searchPath, startCatalog, type TestCatalog, type TestLibrary, testLibrary } from '../test-catalog.js';

describe('a search that OpenSearch refuses', () => {
  let library: TestLibrary;
  let catalog: TestCatalog;

  beforeAll(async () => {
    library = await testLibrary();
    // Somebody's index under our alias, of a revision that is not taken over, which knows none of our fields.
    const index = { mappings: { _meta: { revision: 1_000 } }, aliases: { [`${library.prefix}pools`]: {} } };
    await fetch(`${testEngines().opensearchUrl}/${library.prefix}foreign`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(index),
    });
    catalog = await startCatalog(library.prefix);
  });

  afterAll(async () => {
    await catalog.close();
    await library.close();
  });

  it('is our bug: 500, with nothing of the inside', async () => {
    const { status, body } = await catalog.get(searchPath('pools', { criteria: 'ticker:BCT' }));
    expect(status).toBe(500);
    expect(body).toMatchObject({ code: 'internal_error', type: '/problems/internal_error' });
    expect(JSON.stringify(body)).not.toMatch(/opensearch|exception|ticker|name\.exact/i);
  });
});
