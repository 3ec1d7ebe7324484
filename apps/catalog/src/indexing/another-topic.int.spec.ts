import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningEngines, startEngines } from '@carbon/local';
import { createKafka, createTopics, endsOf, topicIdentity } from '@carbon/messaging';
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

  /** Deletes the topic and creates it again, empty. */
  const createAnew = async () => {
    const { topicId } = await topicIdentity(library.kafka, 'asset.published');
    const admin = library.kafka.client.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [library.kafka.names.topic('asset.published')] });
    await admin.disconnect();
    // A broker may still tell of the deleted topic, which is then not created.
    await eventually(async () => {
      await createTopics(library.kafka);
      expect((await topicIdentity(library.kafka, 'asset.published')).topicId).not.toBe(topicId);
    });
  };
  /** So many projects that each of the six partitions ends beyond where it did. */
  const publishMany = async () => {
    for (let n = 0; n < 150; n += 1) await library.publish(asset(`project_${n}`));
  };
  const commit = async (group = '', positionOf: (partition: number) => string) => {
    const admin = library.kafka.client.admin();
    await admin.connect();
    const ends = await endsOf(library.kafka, 'asset.published');
    const partitions = ends.map(({ partition }) => ({ partition, offset: positionOf(partition) }));
    const topic = library.kafka.names.topic('asset.published');
    await admin.setOffsets({ groupId: library.kafka.names.group(group), topic, partitions });
    await admin.disconnect();
  };

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
    await createAnew();
    await library.publish(asset('pool_a', { name: 'New' }));
    await start();
    await eventually(async () => expect(await names()).toEqual(['New']));
    expect(await indices.live()).toBe(`${mappingHash()}-2`);
  });

  it('is noticed though it ends beyond the old one, and the group has a position on it', async () => {
    const { generations } = await indices.library.look();
    await createAnew();
    await library.publish(asset('pool_a', { name: 'New' }));
    await publishMany();
    // As a process leaves it that went on with the new topic, all of whose documents are older than those it has.
    const ends = await endsOf(library.kafka, 'asset.published');
    await commit(generations[0]?.group, (partition) => String(ends[partition]?.end));
    await start();
    await eventually(async () => expect(await names()).toEqual(['New']));
    expect(await indices.live()).toBe(`${mappingHash()}-2`);
  });

  it('is noticed while the catalog runs', async () => {
    await start();
    await createAnew();
    await library.publish(asset('pool_a', { name: 'New' }));
    await publishMany();
    await eventually(async () => expect(await names()).toEqual(['New']));
    expect(await indices.live()).toBe(`${mappingHash()}-2`);
  });

  it('is not seen in a generation that does not know of which topic it is: that is noted', async () => {
    const find = async () => (await indices.library.look()).generations[0];
    const before = await find();
    if (!before?.meta.topic) throw new Error('The generation has a mark.');
    const { topicId, ...mark } = before.meta.topic;
    expect(topicId).toEqual(expect.any(String));
    await indices.library.note(before, { ...before.meta, topic: mark });
    await start();
    await eventually(async () => expect((await find())?.meta.topic).toEqual(before.meta.topic));
    expect(await indices.live()).toBe(`${mappingHash()}-1`);
  });

  it('is not seen in a group that was told to read from the beginning again: that changes nothing', async () => {
    const { generations } = await indices.library.look();
    await commit(generations[0]?.group, () => '0');
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
