import { eventually } from '@carbon/testing';
import { asset, startCatalog, type TestCatalog, type TestLibrary, testLibrary } from '../test-catalog.js';

describe('ingest', () => {
  let library: TestLibrary;
  let catalog: TestCatalog;

  beforeAll(async () => {
    library = await testLibrary();
    await library.publish(asset('pool_before', { name: 'There before the start' }));
    catalog = await startCatalog(library.prefix);
    await catalog.ready();
  });

  afterAll(async () => {
    await catalog.close();
    await library.close();
  });

  const names = async (criteria: string) => (await catalog.search('pools', { criteria })).map(({ name }) => name);

  it('holds what stood on the topic when it says that it is ready', async () => {
    expect(await names('id:pool_before')).toEqual(['There before the start']);
  });

  it('makes what is published searchable', async () => {
    await library.publish(
      asset('pool_new', { name: 'New' }),
      asset('proj_new', { name: 'New project', country: 'Brazil' }),
    );
    await eventually(async () => expect(await names('id:pool_new')).toEqual(['New']));
    const projects = await catalog.search('projects', { criteria: 'country:brazil' });
    expect(projects).toEqual([{ source: 'TOUCAN', name: 'New project' }]);
  });
});
