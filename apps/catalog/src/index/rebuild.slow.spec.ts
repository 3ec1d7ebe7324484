import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngines } from '@carbon/local';
import { createKafka, createTopics, topicEnds } from '@carbon/messaging';
import { eventually } from '@carbon/testing';
import { begin, nth, poolNames, recreateTopic, waitUntilLive } from '../testing/indices.js';
import { asset, testLibrary } from '../testing/library.js';
import { freshLibrary } from '../testing/set-up.js';
import { LibraryIndex } from './library-index.js';
import { MAPPING_REVISION, mappingHash } from './mapping.js';
import { withRecord } from './precedence.js';
import { LIBRARY_TOPIC } from './topic-progress.js';

describe('a rebuild', () => {
  const { library, indices, begin: launch, start, stop } = freshLibrary();

  it('keeps the old generation up to date until its retention is over, and then removes it', async () => {
    await start();
    await waitUntilLive(indices, nth(1));
    await waitUntilLive(indices, await begin(library, indices));
    await library.publish(asset('pool_late', { name: 'Late' }));
    await eventually(async () => {
      const old = await indices.ask('GET', `/${library.prefix}pools-${nth(1)}/_doc/pool_late`);
      expect(old).toMatchObject({ found: true });
    });
    await stop();
    // Short only now, so that the look above cannot be too late.
    const catalog = await start({ GENERATION_KEPT_MS: '1000' });
    await eventually(async () => expect(await indices.names()).toEqual([`pools-${nth(2)}`, `projects-${nth(2)}`]));
    await library.publish(asset('pool_later', { name: 'Later' }));
    await eventually(async () => expect(await poolNames(catalog)).toEqual(['Late', 'Later']));
  });

  it('is finished by the next start when all processes died during it', async () => {
    await library.publish(asset('pool_a', { name: 'A' }));
    await start();
    await waitUntilLive(indices, nth(1));
    await stop();
    await begin(library, indices);
    await indices.remove(`projects-${nth(2)}`);
    const catalog = await start();
    await waitUntilLive(indices, nth(2));
    expect(await poolNames(catalog)).toEqual(['A']);
  });

  it('is cleaned up by the next start when the process that swapped the aliases died', async () => {
    await start();
    await waitUntilLive(indices, nth(1));
    await stop();
    await begin(library, indices);
    await indices.library.swapAliases(await indices.generation(2), await indices.library.readState());
    await start({ GENERATION_KEPT_MS: '1000' });
    await eventually(async () => expect(await indices.names()).toEqual([`pools-${nth(2)}`, `projects-${nth(2)}`]));
  });

  it('replaces the live generation even when the topic no longer has its messages', async () => {
    await indices.makeForeign('00000000-1', MAPPING_REVISION - 1, true);
    await library.publish(asset('pool_a', { name: 'A' }));
    const { group } = await indices.generation(1);
    await library.commit(group, [{ partition: 0, offset: '1000' }]);
    const catalog = await start();
    await waitUntilLive(indices, nth(2));
    expect(await poolNames(catalog)).toEqual(['A']);
  });

  it('does not start for a mapping of a lower revision: the live generation is searched, and no generation is created', async () => {
    await indices.makeForeign('00000000-1', 1_000, true);
    const catalog = await start();
    await library.publish(asset('pool_a'));
    const reads = countReads(catalog.app.get(LibraryIndex));
    await eventually(() => expect(reads()).toBeGreaterThan(4));
    expect(await indices.names()).toEqual(['pools-00000000-1', 'projects-00000000-1']);
  });

  it('is not started by a version whose damaged generation a higher revision is about to replace', async () => {
    await library.publish(asset('pool_a'));
    await start();
    await waitUntilLive(indices, nth(1));
    await stop();
    await indices.makeForeign('00000000-2', MAPPING_REVISION + 1, false);
    await indices.remove(`projects-${nth(1)}`);
    const catalog = await launch();
    const reads = countReads(catalog.app.get(LibraryIndex));
    await eventually(() => expect(reads()).toBeGreaterThan(6));
    expect(await indices.names()).toEqual([`pools-00000000-2`, `pools-${nth(1)}`, `projects-00000000-2`].sort());
  });

  it('that cannot be created leaves the live generation searched and filled, also after a restart', async () => {
    await library.publish(asset('pool_a', { name: 'A' }));
    await start();
    await waitUntilLive(indices, nth(1));
    await stop();
    // An index cannot be created under the name of an alias.
    const alias = `${library.prefix}pools-${nth(2)}`;
    await indices.ask('POST', '/_aliases', {
      actions: [{ add: { index: `${library.prefix}pools-${nth(1)}`, alias } }],
    });
    await expect(begin(library, indices)).rejects.toThrow();
    const catalog = await start();
    await library.publish(asset('pool_b', { name: 'B' }));
    await eventually(async () => expect(await poolNames(catalog)).toEqual(['A', 'B']));
  });

  it('is awaited by a new version, which is not ready while it cannot create its first generation', async () => {
    await indices.makeForeign('00000000-1', MAPPING_REVISION - 1, true);
    const add = { index: `${library.prefix}pools-00000000-1`, alias: `${library.prefix}pools-${nth(2)}` };
    await indices.ask('POST', '/_aliases', { actions: [{ add }] });
    const catalog = await launch();
    const reads = countReads(catalog.app.get(LibraryIndex));
    await eventually(() => expect(reads()).toBeGreaterThan(3));
    expect((await catalog.get('/health/ready')).status).toBe(503);
  });

  it('replaces a higher revision when an operator chooses it, and no process reverts that', async () => {
    await indices.makeForeign('00000000-1', MAPPING_REVISION + 1, true);
    await library.publish(asset('pool_a', { name: 'A' }));
    const catalog = await start();
    await waitUntilLive(indices, await begin(library, indices));
    expect(await poolNames(catalog)).toEqual(['A']);
    expect(await indices.generation(2)).toMatchObject({ name: nth(2), overRevision: MAPPING_REVISION + 1 });
  });
});

describe('a topic that was re-created while the indices were kept', () => {
  const { library, indices, start, stop } = freshLibrary();
  const OLD = ['Gone with the old topic', 'Old 9'];

  const commit = async (positionOf: (end: bigint) => string) => {
    const ends = await topicEnds(library.kafka, LIBRARY_TOPIC);
    const positions = ends.map(({ partition, end }) => ({ partition, offset: positionOf(end) }));
    await library.commit((await indices.generation(1)).group, positions);
  };

  beforeEach(async () => {
    for (let n = 0; n < 10; n += 1) await library.publish(asset('pool_a', { name: `Old ${n}` }));
    await library.publish(asset('pool_b', { name: 'Gone with the old topic' }));
    await start();
    await stop();
  });

  it('is detected although it ends beyond the old one and the group has a position on it', async () => {
    await recreateTopic(library);
    await library.publish(asset('pool_a', { name: 'New' }));
    // Enough projects that each of the six partitions ends beyond its old end.
    for (let n = 0; n < 150; n += 1) await library.publish(asset(`project_${n}`));
    // As a process leaves it that has continued on the new topic, whose messages all have lower positions.
    await commit(String);
    const catalog = await start();
    await eventually(async () => expect(await poolNames(catalog)).toEqual(['New']));
    expect(await indices.live()).toBe(nth(2));
  });

  it('is rebuilt from once, by one of two instances that run', async () => {
    const catalogs = [await start(), await start()];
    await recreateTopic(library);
    await library.publish(asset('pool_a', { name: 'New' }));
    await waitUntilLive(indices, nth(2));
    const reads = catalogs.map((catalog) => countReads(catalog.app.get(LibraryIndex)));
    await eventually(() => expect(Math.min(...reads.map((count) => count()))).toBeGreaterThan(6));
    expect((await indices.library.readState()).document.lastNumber).toBe(2);
  });

  it('is not detected for a generation without a topic ID, which is stored then', async () => {
    const before = await indices.generation(1);
    if (!before.topic) throw new Error('The generation has a mark.');
    const { topicId, ...topic } = before.topic;
    expect(topicId).toEqual(expect.any(String));
    const state = await indices.library.readState();
    await indices.library.update(
      state,
      withRecord(state.document, nth(1), (record) => ({ ...record, topic })),
    );
    await start();
    await eventually(async () => expect((await indices.generation(1)).topic).toEqual(before.topic));
    expect(await indices.live()).toBe(nth(1));
  });

  it('is not detected when a group was reset to the beginning, which changes nothing', async () => {
    await commit(() => '0');
    const catalog = await start();
    await eventually(async () => expect(await poolNames(catalog)).toEqual(OLD));
    expect(await indices.live()).toBe(nth(1));
  });

  it('is detected as part of another Kafka cluster, and the old library is searched until an asset is published', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'another-kafka-'));
    const another = await startEngines({ dir, which: ['kafka'], shortLived: true });
    const brokers = another.addresses.kafkaBrokers ?? '';
    try {
      await createTopics(createKafka({ brokers: brokers.split(','), clientId: 'test', topicPrefix: library.prefix }));
      const catalog = await start({ KAFKA_BROKERS: brokers });
      await eventually(async () => expect(await indices.names()).toContain(`pools-${mappingHash()}-2`));
      expect(await poolNames(catalog)).toEqual(OLD);
      const fresh = await testLibrary(library.prefix, brokers);
      await fresh.publish(asset('pool_a', { name: 'New' }));
      await eventually(async () => expect(await poolNames(catalog)).toEqual(['New']));
      expect(await indices.live()).toBe(nth(2));
      await fresh.close();
      await stop();
    } finally {
      await another.stop();
      await rm(dir, { recursive: true, force: true });
    }
  });
});

function countReads(watched: LibraryIndex): () => number {
  const readState = watched.readState.bind(watched);
  let taken = 0;
  watched.readState = () => {
    taken += 1;
    return readState();
  };
  return () => taken;
}
