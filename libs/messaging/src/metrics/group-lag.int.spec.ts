import { withAdmin } from '../admin/with-admin.js';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import { eventMessage } from '../publish/outgoing-message.js';
import { TestKafka } from '../test-kafka.js';
import { groupLag } from './group-lag.js';

const HOUR_MS = 3_600_000;
const TOPIC = 'asset.published';

describe('how far a group is behind', () => {
  let test: TestKafka;
  let kafka: KafkaHandle;

  beforeAll(async () => {
    test = new TestKafka();
    kafka = test.handle();
    await test.create();
    const producer = test.producer();
    for (let n = 0; n < 20; n += 1) {
      const facts = { id: `a${n}`, subject: `a${n}`, source: '/assets', time: '2026-01-01T00:00:00.000Z' } as const;
      await producer.publish(eventMessage('asset.published.v1', { n }, facts));
    }
    await producer.close();
  });

  afterAll(() => test.remove());

  const commit = (group: string, positions: readonly string[]) =>
    withAdmin(kafka, (admin) =>
      admin.setOffsets({
        groupId: kafka.names.group(group),
        topic: kafka.names.topic(TOPIC),
        partitions: positions.map((offset, partition) => ({ partition, offset })),
      }),
    );
  const later = (ms: number) => () => Date.now() + ms;

  it('is everything for a group that has not begun', async () => {
    const { messages } = await groupLag(kafka, 'nobody', TOPIC);
    expect(messages).toBe(20);
  });

  it('is told in messages, and in the age of the oldest, which is exact to a factor of two', async () => {
    const ends = await withAdmin(kafka, (admin) => admin.fetchTopicOffsets(kafka.names.topic(TOPIC)));
    const high = ends.sort((one, other) => one.partition - other.partition).map((end) => end.high);
    await commit('behind', [String(Number(high[0]) - 1), high[1] ?? '0']);
    expect(await groupLag(kafka, 'behind', TOPIC, later(HOUR_MS))).toEqual({ messages: 1, oldestAgeSeconds: 2_048 });
    const young = await groupLag(kafka, 'behind', TOPIC, later(0));
    expect(young.oldestAgeSeconds).toBeLessThan(128);
  });

  it('is nothing for a group that has done all, however old that is', async () => {
    const ends = await withAdmin(kafka, (admin) => admin.fetchTopicOffsets(kafka.names.topic(TOPIC)));
    const high = ends.sort((one, other) => one.partition - other.partition).map((end) => end.high);
    await commit('through', high);
    expect(await groupLag(kafka, 'through', TOPIC, later(HOUR_MS))).toEqual({ messages: 0, oldestAgeSeconds: 0 });
  });
});
