import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@carbon/testing';
import type { TestCatalog } from '../testing/catalog.js';
import { begin, isLive, nth, poolNames, recreateTopic } from '../testing/indices.js';
import { asset } from '../testing/library.js';
import { freshLibrary } from '../testing/set-up.js';
import { MAPPING_REVISION, mappingHash } from './mapping.js';
import { chosen, retiredAt } from './precedence.js';

describe('a rebuild', () => {
  const { library, indices, start } = freshLibrary();

  const found = async (catalog: TestCatalog) => {
    // Another limit each time: an answer that was kept says nothing.
    const limit = 1 + Math.floor(Math.random() * 100);
    const answer = await catalog.get(`/v1/assets/projects?criteria=country:peru&fullTextSearch=&limit=${limit}`);
    return answer.status === 200 ? Number(answer.headers.get('x-total-count')) : -1;
  };

  it('is never seen by a search, nor by who asks whether the instances are ready', async () => {
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
    await Promise.race([isLive(indices, next), Promise.all(searching)]);
    await sleep(500);
    stop.abort();
    await Promise.all(searching);
    expect([...seen]).toEqual([count]);
    expect(searches).toBeGreaterThan(10);
  });

  it('holds what is published while it runs, is undone when a person chooses the old generation, and stays undone', async () => {
    await library.publish(asset('pool_before', { name: 'Before' }));
    const catalog = await start();
    await isLive(indices, nth(1));
    const next = await begin(library, indices);
    await library.publish(asset('pool_during', { name: 'During' }));
    await isLive(indices, next);
    await library.publish(asset('pool_after', { name: 'After' }));
    await library.withdraw('pool_before');
    await eventually(async () => expect(await poolNames(catalog)).toEqual(['After', 'During']));
    const old = await indices.generation(1);
    await indices.library.note(old, chosen(old, await indices.library.look()));
    await isLive(indices, nth(1));
    await eventually(async () => {
      const { generations } = await indices.library.look();
      expect(generations.filter((one) => retiredAt(one)).map(({ number }) => number)).toEqual([2]);
    });
    expect(await indices.live()).toBe(nth(1));
    await library.publish(asset('pool_later', { name: 'Later' }));
    await eventually(async () => expect(await poolNames(catalog)).toEqual(['After', 'During', 'Later']));
  });

  it('happens by itself for a mapping of a higher revision, once, and takes its place', async () => {
    await indices.makeForeign('00000000-4', MAPPING_REVISION - 1, true);
    await library.publish(asset('pool_a', { name: 'A' }));
    const catalogs = await Promise.all([start(), start()]);
    await isLive(indices, nth(5));
    for (const catalog of catalogs) expect(await poolNames(catalog)).toEqual(['A']);
    expect((await indices.names()).filter((name) => name.includes(mappingHash()))).toHaveLength(2);
  });

  it('happens by itself when the topic was deleted and created again while the catalog runs', async () => {
    for (let n = 0; n < 5; n += 1) await library.publish(asset('pool_a', { name: `Old ${n}` }));
    const catalog = await start();
    await recreateTopic(library);
    await library.publish(asset('pool_a', { name: 'New' }));
    await eventually(async () => expect(await poolNames(catalog)).toEqual(['New']));
    expect(await indices.live()).toBe(nth(2));
  });
});
