import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningEngines, startEngines } from '@carbon/local';
import { createKafka, createTopics, endsOf } from '@carbon/messaging';
import { eventually } from '@carbon/testing';
import { asset } from '../test-asset.js';
import { startCatalog, type TestCatalog, type TestLibrary, testLibrary } from '../test-catalog.js';
import { TestIndices } from '../test-indices.js';
import { mappingHash } from './revision.js';

describe('a topic that was made anew while the indices were kept', () => {
  let library: TestLibrary;
  let indices: TestIndices;
  let catalog: TestCatalog | undefined;

  const start = async (more: Record<string, string> = {}) => {
    catalog = await startCatalog(library.prefix, more);
    await catalog.ready();
    return catalog;
  };
  const stop = async () => {
    await catalog?.close();
    catalog = undefined;
  };
  const names = async () => (await catalog?.search('pools'))?.map(({ name }) => name);

  beforeEach(async () => {
    library = await testLibrary();
    indices = new TestIndices(library.prefix);
    for (let n = 0; n < 10; n += 1) await library.publish(asset('pool_a', { name: `Old ${n}` }));
    await library.publish(asset('pool_b', { name: 'Gone with the old topic' }));
    await start();
    await stop();
  });
  afterEach(async () => {
    await stop();
    await indices.close();
    await library.close();
  });

  it('is noticed when the topic was deleted and made again, and the library is built anew from it', async () => {
    const admin = library.kafka.client.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [library.kafka.names.topic('asset.published')] });
    await admin.disconnect();
    await eventually(() => createTopics(library.kafka));
    await eventually(async () => {
      const ends = await endsOf(library.kafka, 'asset.published');
      expect(ends.every(({ end }) => end === 0n)).toBe(true);
    });
    await library.publish(asset('pool_a', { name: 'New' }));
    await start();
    await eventually(async () => expect(await names()).toEqual(['New']));
    expect(await indices.live()).toBe(`${mappingHash()}-2`);
  });

  it('is not seen in a group that was told to read from the beginning again: that changes nothing', async () => {
    const { generations } = await indices.library.look();
    const admin = library.kafka.client.admin();
    await admin.connect();
    const groupId = library.kafka.names.group(generations[0]?.group ?? '');
    const topic = library.kafka.names.topic('asset.published');
    const ends = await endsOf(library.kafka, 'asset.published');
    await admin.setOffsets({ groupId, topic, partitions: ends.map(({ partition }) => ({ partition, offset: '0' })) });
    await admin.disconnect();
    await start();
    await eventually(async () => expect((await names())?.sort()).toEqual(['Gone with the old topic', 'Old 9']));
    expect(await indices.live()).toBe(`${mappingHash()}-1`);
  });

  describe('as part of another Kafka', () => {
    let dir: string;
    let another: RunningEngines;
    beforeEach(async () => {
      dir = await mkdtemp(join(tmpdir(), 'another-kafka-'));
      another = await startEngines({ dir, which: ['kafka'], shortLived: true });
    });
    afterEach(async () => {
      await stop();
      await another.stop();
      await rm(dir, { recursive: true, force: true });
    });

    it('is noticed, and the old library is searched until something is published', async () => {
      const brokers = another.addresses.kafkaBrokers ?? '';
      const kafka = createKafka({ brokers: brokers.split(','), clientId: 'test', topicPrefix: library.prefix });
      await createTopics(kafka);
      await start({ KAFKA_BROKERS: brokers });
      await eventually(async () => expect(await indices.names()).toContain(`pools-${mappingHash()}-2`));
      expect((await names())?.sort()).toEqual(['Gone with the old topic', 'Old 9']);
      const fresh = await testLibrary(library.prefix, brokers);
      await fresh.publish(asset('pool_a', { name: 'New' }));
      await eventually(async () => expect(await names()).toEqual(['New']));
      expect(await indices.live()).toBe(`${mappingHash()}-2`);
      await fresh.close();
    });
  });
});
