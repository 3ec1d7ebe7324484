import { setTimeout as sleep } from 'node:timers/promises';
import { topicProgress } from '@carbon/messaging';
import { eventually } from '@carbon/testing';
import { asset } from '../test-asset.js';
import { startCatalog, type TestCatalog, type TestLibrary, testLibrary } from '../test-catalog.js';
import { TestIndices } from '../test-indices.js';
import { beginGeneration } from './begin-generations.js';
import { LIBRARY_TOPIC } from './feed.js';
import { LibraryIndex } from './library-index.js';
import { chosen, retiredAt } from './precedence.js';
import { MAPPING_REVISION, mappingHash } from './revision.js';

const nth = (number: number) => `${mappingHash()}-${number}`;

describe('a rebuild', () => {
  let library: TestLibrary;
  let indices: TestIndices;
  const running: TestCatalog[] = [];

  const start = async (more: Record<string, string> = {}) => {
    const catalog = await startCatalog(library.prefix, more);
    running.push(catalog);
    await catalog.ready();
    return catalog;
  };
  const stopAll = async () => {
    await Promise.all(running.splice(0).map((catalog) => catalog.close()));
  };
  const begin = async () => {
    const state = await indices.library.look();
    return beginGeneration(indices.library, state, await topicProgress(library.kafka, LIBRARY_TOPIC, []));
  };
  const isLive = (name: string) => eventually(async () => expect(await indices.live()).toBe(name));
  const namesOf = async (catalog: TestCatalog) =>
    (await catalog.search('pools', { limit: 100 })).map(({ name }) => name);

  beforeEach(async () => {
    library = await testLibrary();
    indices = new TestIndices(library.prefix);
  });
  afterEach(async () => {
    await stopAll();
    await indices.close();
    await library.close();
  });

  it('is never seen by a search, nor by who asks whether the instances are ready', async () => {
    const count = 4_000;
    const ids = Array.from({ length: count }, (_, number) => `proj_${number}`);
    for (let from = 0; from < count; from += 1_000) {
      await library.publish(...ids.slice(from, from + 1_000).map((id) => asset(id, { country: 'Peru' })));
    }
    const catalogs = [await start(), await start()];
    await eventually(async () => expect(await found(catalogs[0])).toBe(count));
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
    const next = await begin();
    await Promise.race([isLive(next), Promise.all(searching)]);
    await sleep(500);
    stop.abort();
    await Promise.all(searching);
    expect([...seen]).toEqual([count]);
    expect(searches).toBeGreaterThan(10);
  });

  const found = async (catalog: TestCatalog | undefined) => {
    // Another limit each time: an answer that was kept says nothing.
    const limit = 1 + Math.floor(Math.random() * 100);
    const answer = await catalog?.get(`/v1/assets/projects?criteria=country:peru&fullTextSearch=&limit=${limit}`);
    return answer?.status === 200 ? Number(answer.headers.get('x-total-count')) : -1;
  };

  it('holds what is published while it runs, and its generation goes on being written', async () => {
    await library.publish(asset('pool_before', { name: 'Before' }));
    const catalog = await start();
    const next = await begin();
    await library.publish(asset('pool_during', { name: 'During' }));
    await isLive(next);
    await library.publish(asset('pool_after', { name: 'After' }));
    await library.withdraw('pool_before');
    await eventually(async () => expect(await namesOf(catalog)).toEqual(['After', 'During']));
  });

  it('keeps the old generation, fed, for as long as it may be wanted back, and then removes it', async () => {
    const catalog = await start({ GENERATION_KEPT_MS: '3000' });
    await isLive(nth(1));
    await isLive(await begin());
    await library.publish(asset('pool_late', { name: 'Late' }));
    await eventually(async () => {
      const old = await indices.ask('GET', `/${library.prefix}pools-${nth(1)}/_doc/pool_late`);
      expect(old).toMatchObject({ found: true });
    });
    await eventually(async () => expect(await indices.names()).toEqual([`pools-${nth(2)}`, `projects-${nth(2)}`]));
    await library.publish(asset('pool_later', { name: 'Later' }));
    await eventually(async () => expect(await namesOf(catalog)).toEqual(['Late', 'Later']));
  });

  it('is finished by the next start when everybody had died in the middle of it', async () => {
    await library.publish(asset('pool_a', { name: 'A' }));
    await start();
    await isLive(nth(1));
    await stopAll();
    await begin();
    await indices.remove(`projects-${nth(2)}`);
    const catalog = await start();
    await isLive(nth(2));
    expect(await namesOf(catalog)).toEqual(['A']);
  });

  it('is tidied up by the next start when who moved the aliases died before it could', async () => {
    await start();
    await isLive(nth(1));
    await stopAll();
    await begin();
    const state = await indices.library.look();
    const [next] = state.generations.filter(({ number }) => number === 2);
    if (next) await indices.library.goLive(next, state);
    await start({ GENERATION_KEPT_MS: '1000' });
    await eventually(async () => expect(await indices.names()).toEqual([`pools-${nth(2)}`, `projects-${nth(2)}`]));
  });

  it('happens by itself for a mapping of a higher revision, once, and takes its place', async () => {
    await indices.makeForeign('00000000-4', MAPPING_REVISION - 1, true);
    await library.publish(asset('pool_a', { name: 'A' }));
    const catalogs = await Promise.all([start(), start()]);
    await isLive(nth(5));
    for (const catalog of catalogs) expect(await namesOf(catalog)).toEqual(['A']);
    expect((await indices.names()).filter((name) => name.includes(mappingHash()))).toHaveLength(2);
  });

  it('takes its place also when the topic has lost what the live one had read', async () => {
    await indices.makeForeign('00000000-1', MAPPING_REVISION - 1, true);
    await library.publish(asset('pool_a', { name: 'A' }));
    const [front] = (await indices.library.look()).generations;
    const admin = library.kafka.client.admin();
    await admin.connect();
    await admin.setOffsets({
      groupId: library.kafka.names.group(front?.group ?? ''),
      topic: library.kafka.names.topic(LIBRARY_TOPIC),
      partitions: [{ partition: 0, offset: '1000' }],
    });
    await admin.disconnect();
    const catalog = await start();
    await isLive(nth(2));
    expect(await namesOf(catalog)).toEqual(['A']);
  });

  it('does not happen for a mapping of a lower revision: the live one is searched, and nothing is begun', async () => {
    await indices.makeForeign('00000000-1', 1_000, true);
    const catalog = await start();
    expect((await catalog.get('/health/ready')).status).toBe(200);
    await library.publish(asset('pool_a'));
    const looksTaken = countLooks(catalog.app.get(LibraryIndex));
    await eventually(() => expect(looksTaken()).toBeGreaterThan(4));
    expect(await indices.names()).toEqual(['pools-00000000-1', 'projects-00000000-1']);
  });

  it('takes the place of a higher revision when a person says so, and nobody takes it back', async () => {
    await indices.makeForeign('00000000-1', MAPPING_REVISION + 1, true);
    await library.publish(asset('pool_a', { name: 'A' }));
    const catalog = await start();
    await isLive(await begin());
    expect(await namesOf(catalog)).toEqual(['A']);
    expect((await indices.library.look()).generations).toContainEqual(
      expect.objectContaining({ name: nth(2), meta: expect.objectContaining({ over: MAPPING_REVISION + 1 }) }),
    );
  });

  it('is undone when a person chooses the old generation, and stays undone', async () => {
    await library.publish(asset('pool_a', { name: 'A' }));
    const catalog = await start();
    await isLive(nth(1));
    await isLive(await begin());
    const state = await indices.library.look();
    const old = state.generations.find(({ number }) => number === 1);
    if (old === undefined) throw new Error('the old generation is gone');
    await indices.library.note(old, chosen(old, state));
    await isLive(nth(1));
    await eventually(async () => {
      const { generations } = await indices.library.look();
      expect(generations.filter((one) => retiredAt(one)).map(({ number }) => number)).toEqual([2]);
    });
    expect(await indices.live()).toBe(nth(1));
    await library.publish(asset('pool_b', { name: 'B' }));
    await eventually(async () => expect(await namesOf(catalog)).toEqual(['A', 'B']));
  });
});

function countLooks(watched: LibraryIndex): () => number {
  const look = watched.look.bind(watched);
  let taken = 0;
  watched.look = () => {
    taken += 1;
    return look();
  };
  return () => taken;
}
