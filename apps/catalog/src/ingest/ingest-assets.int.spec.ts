import { endsOf } from '@carbon/messaging';
import { eventually, testEngines } from '@carbon/testing';
import { asset } from '../test-asset.js';
import { searchPath, startCatalog, type TestCatalog, type TestLibrary, testLibrary } from '../test-catalog.js';
import { type OpenSearchProxy, openSearchProxy } from '../test-proxy.js';

describe('ingest', () => {
  let library: TestLibrary;
  let proxy: OpenSearchProxy;
  let catalog: TestCatalog;

  beforeAll(async () => {
    library = await testLibrary();
    proxy = await openSearchProxy(testEngines().opensearchUrl);
    await library.publish(asset('pool_before', { name: 'There before the start' }));
    catalog = await startCatalog(library.prefix, { OPENSEARCH_URL: proxy.url });
    await catalog.ready();
  });

  afterEach(() => proxy.behave('pass', ''));

  afterAll(async () => {
    await catalog.close();
    await proxy.close();
    await library.close();
  });

  const names = async (criteria: string) => (await catalog.search('pools', { criteria })).map(({ name }) => name);
  const soon = (criteria: string, expected: string[]) =>
    eventually(async () => expect(await names(criteria)).toEqual(expected));
  const deadLetters = async () => {
    const ends = await endsOf(library.kafka, 'asset.published.dead-letter');
    return ends.reduce((sum, { begin, end }) => sum + Number(end - begin), 0);
  };
  const settings = (body: object) =>
    fetch(`${testEngines().opensearchUrl}/${library.prefix}pools/_settings`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('holds what stood on the topic when it says that it is ready', async () => {
    expect(await names('id:pool_before')).toEqual(['There before the start']);
  });

  it('makes what is published searchable soon, among its own kind', async () => {
    await library.publish(
      asset('pool_new', { name: 'New' }),
      asset('proj_new', { name: 'New too', country: 'Brazil' }),
    );
    await eventually(
      async () => {
        expect(await names('id:pool_new')).toEqual(['New']);
        expect(await catalog.search('projects', { criteria: 'country:brazil' })).toHaveLength(1);
      },
      // Left to itself, the engine refreshes an index that nobody has searched for a while after half a minute.
      { within: 12_000 },
    );
    expect(await catalog.search('projects', { criteria: 'id:pool_new' })).toEqual([]);
  });

  it('makes what is published searchable within three seconds, at its best of a few times', async () => {
    const times: number[] = [];
    for (const name of ['one', 'two', 'three']) {
      const begun = performance.now();
      await library.publish(asset(`pool_${name}`, { name }));
      await eventually(async () => expect(await names(`id:pool_${name}`)).toEqual([name]));
      times.push(performance.now() - begun);
    }
    expect(Math.min(...times)).toBeLessThan(3_000);
  });

  it('takes a newer version of an asset for the whole of it', async () => {
    await library.publish(asset('pool_twice', { name: 'First', rating: 3 }));
    await library.publish(asset('pool_twice', { name: 'Second' }));
    await soon('id:pool_twice and not rating exists', ['Second']);
  });

  it('takes a withdrawn asset out, and in again when it comes back', async () => {
    await library.publish(asset('pool_gone', { name: 'Here' }));
    await soon('id:pool_gone', ['Here']);
    await library.withdraw('pool_gone');
    await soon('id:pool_gone', []);
    await library.publish(asset('pool_gone', { name: 'Back' }));
    await soon('id:pool_gone', ['Back']);
  });

  it('goes on when something is withdrawn that was never there', async () => {
    await library.withdraw('pool_never');
    await library.publish(asset('pool_after_never', { name: 'Next' }));
    await soon('id:pool_after_never', ['Next']);
    expect(await deadLetters()).toBe(0);
  });

  it('finds composed accents, however they were published', async () => {
    await library.publish(asset('pool_accents', { name: 'E\u0301cole' }));
    await soon('name = ecole', ['\u00c9cole']);
  });

  it('dead-letters what is no asset and takes the next', async () => {
    const before = await deadLetters();
    await library.send('pool_bad', '{"id":"pool_bad"');
    await library.send('pool_bad', JSON.stringify({ id: 'pool_bad', type: 'POOL', source: 'small', name: '' }));
    await library.send('pool_bad', JSON.stringify(asset('pool_other')));
    await library.send('fund_bad', null);
    await library.send('pool_bad', JSON.stringify(asset('pool_bad')), 'asset.published.v9');
    await library.publish(asset('pool_bad', { name: 'Good at last' }));
    await soon('id:pool_bad', ['Good at last']);
    await eventually(async () => expect(await deadLetters()).toBe(before + 5));
  });

  it('dead-letters what OpenSearch will never take, and takes what came with it', async () => {
    const before = await deadLetters();
    // A date that the contract allows and no calendar holds for OpenSearch.
    const listedAt = '2024-01-01T00:00:00.0000000000001Z';
    await library.publish(asset('pool_refused', { listedAt }), asset('pool_beside', { name: 'Beside' }));
    await soon('id in (pool_refused, pool_beside)', ['Beside']);
    await eventually(async () => expect(await deadLetters()).toBe(before + 1));
  });

  it.each(['too-many-requests', 'unavailable', 'drop-answer'] as const)(
    'loses nothing while OpenSearch answers with %s',
    async (mood) => {
      const before = await deadLetters();
      const asked = proxy.asked.length;
      const ids = Array.from({ length: 40 }, (_, number) => `pool_${mood}_${number}`);
      proxy.behave(mood, '_bulk');
      await library.publish(...ids.map((id) => asset(id, { registry: mood })));
      await eventually(() => {
        const bulks = proxy.asked.slice(asked).filter((question) => question.includes('_bulk'));
        expect(bulks.length).toBeGreaterThan(3);
      });
      proxy.behave('pass', '');
      await eventually(async () => {
        expect(await catalog.search('pools', { criteria: `registry:${mood}`, limit: 100 })).toHaveLength(40);
      });
      expect(await deadLetters()).toBe(before);
    },
  );

  it('loses nothing while the index is read-only, as on a full disk', async () => {
    const before = await deadLetters();
    await settings({ 'index.blocks.read_only_allow_delete': true });
    const asked = proxy.asked.length;
    try {
      await library.publish(asset('pool_blocked', { name: 'Blocked' }));
      await eventually(() => expect(proxy.asked.slice(asked).length).toBeGreaterThan(2));
      expect(await names('id:pool_blocked')).toEqual([]);
    } finally {
      await settings({ 'index.blocks.read_only_allow_delete': null });
    }
    await soon('id:pool_blocked', ['Blocked']);
    expect(await deadLetters()).toBe(before);
  });

  it('builds the library anew when one of its indices is gone, and answers what it can meanwhile', async () => {
    const [lost = ''] = Object.keys(
      (await (await fetch(`${testEngines().opensearchUrl}/${library.prefix}pools`)).json()) as object,
    );
    await fetch(`${testEngines().opensearchUrl}/${lost}`, { method: 'DELETE' });
    expect((await catalog.get(searchPath('projects'))).status).toBe(200);
    await library.publish(asset('pool_homeless', { name: 'Homeless' }));
    await soon('id in (pool_before, pool_homeless)', ['Homeless', 'There before the start']);
  });
});
