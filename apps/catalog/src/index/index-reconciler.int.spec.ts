import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, testEngines } from '@carbon/testing';
import type { TestCatalog } from '../testing/catalog.js';
import { begin, nth, poolNames, recreateTopic, STATE, waitUntilLive } from '../testing/indices.js';
import { asset } from '../testing/library.js';
import { openSearchProxy } from '../testing/proxy.js';
import { freshLibrary } from '../testing/set-up.js';
import { MAPPING_REVISION, mappingHash } from './mapping.js';

const NOBODY = '127.0.0.1:1';
const readiness = async (catalog: TestCatalog) => (await catalog.get('/health/ready')).body;

describe('the start of the catalog', () => {
  const { library, indices, begin, start, stop } = freshLibrary();

  it('is ready with an empty library', async () => {
    const catalog = await start();
    // Without messages the catalog may be ready before its consumer has joined the group.
    await eventually(async () => {
      expect(await readiness(catalog)).toEqual({ state: 'ready', dependencies: { opensearch: 'up', kafka: 'up' } });
    });
    expect(await catalog.search('pools')).toEqual([]);
  });

  it('replaces an empty library of which an index is missing', async () => {
    const catalog = await start();
    const [lost = ''] = await indices.namesOfAlias('pools');
    await indices.remove(lost);
    await waitUntilLive(indices, nth(2));
    expect(await catalog.search('pools')).toEqual([]);
  });

  it('has the whole library, in each of two instances that start at once, as soon as it is ready', async () => {
    const ids = Array.from({ length: 300 }, (_, number) => `${number % 2 ? 'pool' : 'proj'}_${number}`);
    await library.publish(...ids.map((id) => asset(id)));
    for (const catalog of await Promise.all([start(), start()])) {
      expect(await catalog.search('pools', { criteria: 'source:TOUCAN', limit: 100 })).toHaveLength(100);
      expect(await catalog.search('projects', { criteria: 'id:proj_298' })).toHaveLength(1);
    }
    const generation = await indices.generation(1);
    const held = [
      await indices.library.countDocuments(generation, 'POOL'),
      await indices.library.countDocuments(generation, 'PROJECT'),
    ];
    expect([held, (await indices.names()).length]).toEqual([[150, 150], 2]);
  });

  it('lets a generation go live only when it has consumed what was on the topic', async () => {
    await library.publish(asset('pool_a', { name: 'A' }));
    const proxy = await openSearchProxy(testEngines().opensearchUrl);
    proxy.behave('unavailable', '_bulk');
    const catalog = await begin({ OPENSEARCH_URL: proxy.url });
    const count = (part: string) => proxy.requests.filter((request) => request.includes(part)).length;
    try {
      await eventually(() => expect(count('_bulk')).toBeGreaterThan(0));
      // Each pass reads the state document.
      const passes = count(STATE);
      await eventually(() => expect(count(STATE)).toBeGreaterThan(passes + 3));
      expect(await indices.live()).toBeUndefined();
      proxy.behave('pass', '');
      await catalog.ready();
      expect(await poolNames(catalog)).toEqual(['A']);
    } finally {
      await stop();
      await proxy.close();
    }
  });

  it('catches up with later messages, adopts the indices without a state document, and fills them again when OpenSearch has lost them', async () => {
    await library.publish(asset('pool_before', { name: 'Before' }));
    await start();
    await stop();
    await library.publish(asset('pool_meanwhile', { name: 'Meanwhile' }));
    const second = await start();
    await eventually(async () => expect(await poolNames(second)).toEqual(['Before', 'Meanwhile']));
    await stop();
    await indices.remove(STATE);
    await start();
    expect((await indices.names()).filter((name) => !name.endsWith(nth(1)))).toEqual([]);
    await stop();
    for (const index of await indices.names()) await indices.remove(index);
    expect(await poolNames(await start())).toEqual(['Before', 'Meanwhile']);
  });

  it('is ready and searchable without Kafka, if the library was complete before', async () => {
    await library.publish(asset('pool_old', { name: 'Old' }));
    await start();
    await stop();
    const catalog = await begin({ KAFKA_BROKERS: NOBODY });
    await eventually(async () => {
      const dependencies = { opensearch: 'up', kafka: 'down' };
      expect(await readiness(catalog)).toMatchObject({ state: 'ready', dependencies });
    });
    expect(await poolNames(catalog)).toEqual(['Old']);
  });

  it('waits for Kafka when there is no library yet, and stops at once meanwhile', async () => {
    const catalog = await begin({ KAFKA_BROKERS: NOBODY });
    await eventually(async () => {
      expect(await readiness(catalog)).toMatchObject({ state: 'starting', waitingFor: ['library'] });
    });
    const since = performance.now();
    await stop();
    expect(performance.now() - since).toBeLessThan(10_000);
  });

  it('waits for OpenSearch, is alive meanwhile and reports what it waits for', async () => {
    const catalog = await begin({ OPENSEARCH_URL: `http://${NOBODY}` });
    expect((await catalog.get('/health/live')).status).toBe(200);
    const { status, body } = await catalog.get('/health/ready');
    expect(status).toBe(503);
    expect(body).toMatchObject({ state: 'starting', waitingFor: ['library'], dependencies: { opensearch: 'down' } });
  });
});

describe('a rebuild', () => {
  const { library, indices, start } = freshLibrary();

  const found = async (catalog: TestCatalog) => {
    // Another limit each time, so that no response comes from the cache.
    const limit = 1 + Math.floor(Math.random() * 100);
    const answer = await catalog.get(`/v1/assets/projects?criteria=country:peru&fullTextSearch=&limit=${limit}`);
    return answer.status === 200 ? Number(answer.headers.get('x-total-count')) : -1;
  };

  it('is invisible to searches and to readiness checks', async () => {
    const count = 4_000;
    for (let from = 0; from < count; from += 1_000) {
      const some = Array.from({ length: 1_000 }, (_, n) => asset(`proj_${from + n}`, { country: 'Peru' }));
      await library.publish(...some);
    }
    const catalogs = [await start(), await start()];
    for (const catalog of catalogs) await eventually(async () => expect(await found(catalog)).toBe(count));
    const seen = new Set<number>();
    let searches = 0;
    const stop = new AbortController();
    const searching = catalogs.map(async (catalog) => {
      while (!stop.signal.aborted) {
        seen.add(await found(catalog));
        expect((await catalog.get('/health/ready')).status).toBe(200);
        searches += 1;
      }
    });
    const next = await begin(library, indices);
    await Promise.race([waitUntilLive(indices, next), Promise.all(searching)]);
    await sleep(500);
    stop.abort();
    await Promise.all(searching);
    expect([...seen]).toEqual([count]);
    expect(searches).toBeGreaterThan(10);
  });

  it('contains what is published meanwhile, is undone when an operator chooses the old generation, and stays undone', async () => {
    await library.publish(asset('pool_before', { name: 'Before' }));
    const catalog = await start();
    await waitUntilLive(indices, nth(1));
    const next = await begin(library, indices);
    await library.publish(asset('pool_during', { name: 'During' }));
    await waitUntilLive(indices, next);
    await library.publish(asset('pool_after', { name: 'After' }));
    await library.withdraw('pool_before');
    await eventually(async () => expect(await poolNames(catalog)).toEqual(['After', 'During']));
    await indices.choose(1);
    await waitUntilLive(indices, nth(1));
    await eventually(async () => {
      const { generations } = await indices.library.readState();
      expect(generations.filter((one) => one.supersededAt).map(({ number }) => number)).toEqual([2]);
    });
    expect(await indices.live()).toBe(nth(1));
    await library.publish(asset('pool_later', { name: 'Later' }));
    await eventually(async () => expect(await poolNames(catalog)).toEqual(['After', 'During', 'Later']));
  });

  it('starts by itself for a mapping of a higher revision, once, and becomes live', async () => {
    await indices.makeForeign('00000000-4', MAPPING_REVISION - 1, true);
    await library.publish(asset('pool_a', { name: 'A' }));
    const catalogs = await Promise.all([start(), start()]);
    await waitUntilLive(indices, nth(5));
    for (const catalog of catalogs) expect(await poolNames(catalog)).toEqual(['A']);
    expect((await indices.names()).filter((name) => name.includes(mappingHash()))).toHaveLength(2);
  });

  it('starts by itself when the topic was re-created while the catalog runs', async () => {
    for (let n = 0; n < 5; n += 1) await library.publish(asset('pool_a', { name: `Old ${n}` }));
    const catalog = await start();
    await recreateTopic(library);
    await library.publish(asset('pool_a', { name: 'New' }));
    await eventually(async () => expect(await poolNames(catalog)).toEqual(['New']));
    expect(await indices.live()).toBe(nth(2));
  });
});
