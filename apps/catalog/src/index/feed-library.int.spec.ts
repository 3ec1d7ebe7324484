import { eventually } from '@carbon/testing';
import type { TestCatalog } from '../testing/catalog.js';
import { poolNames } from '../testing/indices.js';
import { asset } from '../testing/library.js';
import { freshLibrary } from '../testing/set-up.js';

const NOBODY = '127.0.0.1:1';
const readiness = async (catalog: TestCatalog) => (await catalog.get('/health/ready')).body;

describe('the start of the catalog', () => {
  const { library, indices, begin, start, stop } = freshLibrary();

  it('is ready with an empty library', async () => {
    const catalog = await start();
    // With nothing to read it may be ready before its consumer has joined the group.
    await eventually(async () => {
      expect(await readiness(catalog)).toEqual({ state: 'ready', dependencies: { opensearch: 'up', kafka: 'up' } });
    });
    expect(await catalog.search('pools')).toEqual([]);
  });

  it('holds everything that stood on the topic, in each of two instances that start at once, as soon as it is ready', async () => {
    const ids = Array.from({ length: 300 }, (_, number) => `${number % 2 ? 'pool' : 'proj'}_${number}`);
    await library.publish(...ids.map((id) => asset(id)));
    for (const catalog of await Promise.all([start(), start()])) {
      expect(await catalog.search('pools', { criteria: 'source:TOUCAN', limit: 100 })).toHaveLength(100);
      expect(await catalog.search('projects', { criteria: 'id:proj_298' })).toHaveLength(1);
    }
    const generation = await indices.generation(1);
    const held = [
      await indices.library.documents(generation, 'POOL'),
      await indices.library.documents(generation, 'PROJECT'),
    ];
    expect([held, (await indices.names()).length]).toEqual([[150, 150], 2]);
  });

  it('catches up with what was published meanwhile, and fills the indices again when OpenSearch has lost them', async () => {
    await library.publish(asset('pool_before', { name: 'Before' }));
    await start();
    await stop();
    await library.publish(asset('pool_meanwhile', { name: 'Meanwhile' }));
    const second = await start();
    await eventually(async () => expect(await poolNames(second)).toEqual(['Before', 'Meanwhile']));
    await stop();
    for (const index of await indices.names()) await indices.remove(index);
    expect(await poolNames(await start())).toEqual(['Before', 'Meanwhile']);
  });

  it('is ready without Kafka, and searched, where the library was complete before', async () => {
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

  it('waits for Kafka where there is no library yet, and stops at once while it waits', async () => {
    const catalog = await begin({ KAFKA_BROKERS: NOBODY });
    await eventually(async () => {
      expect(await readiness(catalog)).toMatchObject({ state: 'starting', waitingFor: ['library'] });
    });
    const since = performance.now();
    await stop();
    expect(performance.now() - since).toBeLessThan(10_000);
  });

  it('waits for OpenSearch, lives meanwhile and says what it waits for', async () => {
    const catalog = await begin({ OPENSEARCH_URL: `http://${NOBODY}` });
    expect((await catalog.get('/health/live')).status).toBe(200);
    const { status, body } = await catalog.get('/health/ready');
    expect(status).toBe(503);
    expect(body).toMatchObject({ state: 'starting', waitingFor: ['library'], dependencies: { opensearch: 'down' } });
  });
});
