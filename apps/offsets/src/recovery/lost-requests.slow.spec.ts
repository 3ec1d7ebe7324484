import { topicEnds, withAdmin } from '@carbon/messaging';
import { eventually } from '@carbon/testing';
import { acceptLoss } from '../cli/accept-loss.js';
import { Consumers } from '../consumers.js';
import { backUp, restore } from '../testing/database-copies.js';
import { pool, request } from '../testing/events.js';
import { TestService } from '../testing/service.js';

describe('requests that Kafka has deleted before the database held them', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await TestService.create();
    await service.publishAssets([pool('a')]);
  });
  afterEach(() => service.close());

  const publish = async (count: number) => {
    for (let n = 0; n < count; n += 1) await service.publish('offset.requested.v1', 'off_same', request({ kgCO2e: 1 }));
  };

  /** Deletes the messages that were published so far, like the retention. */
  const loseAll = async () => {
    const kafka = service.kafka();
    const topic = kafka.names.topic('offset.requested');
    const ends = (await topicEnds(kafka, 'offset.requested')).filter(({ begin, end }) => end > begin);
    const partitions = ends.map(({ partition, end }) => ({ partition, offset: String(end) }));
    await withAdmin(kafka, async (admin) => {
      await admin.fetchTopicOffsets(topic);
      await admin.deleteTopicRecords({ topic, partitions });
    });
  };

  it('stop the service, which reports their number, until an operator accepts the loss', async () => {
    await publish(2);
    const first = await service.start();
    await service.reaches({ completed: 2 });
    await first.close();
    await backUp(service.databaseUrl);
    await publish(3);
    const second = await service.start();
    await service.reaches({ completed: 5 });
    await second.close();
    await loseAll();
    await restore(service.databaseUrl);

    const third = await service.launch({});
    await publish(1);
    const metric = async () => (await third.inject('/metrics')).body;
    await eventually(async () => expect(await metric()).toMatch(/carbon_offsets_requests_lost_messages(\{.*\})? 3\n/));
    expect(third.get(Consumers).consuming).toBe(false);
    // Their outcomes were published, so they are recovered; the request after them waits.
    expect(await service.counts()).toEqual({ completed: 5 });

    const lost = [{ partition: expect.any(Number), from: 2n, before: 5n }];
    const accept = (messages?: bigint) => acceptLoss(service.kafka(), service.databaseUrl, messages);
    expect(await accept()).toEqual({ lost, isAccepted: false });
    expect(await accept(2n)).toEqual({ lost, isAccepted: false });
    expect(await accept(3n)).toEqual({ lost, isAccepted: true });
    await service.reaches({ completed: 6 });
    expect(await accept()).toEqual({ lost: [], isAccepted: false });
    await eventually(async () => expect(await metric()).toMatch(/carbon_offsets_requests_lost_messages(\{.*\})? 0\n/));
  });

  it('are none where the retention has deleted only recorded requests', async () => {
    await publish(2);
    const first = await service.start();
    await service.reaches({ completed: 2 });
    await first.close();
    await loseAll();
    await service.start();
    await publish(1);
    await service.reaches({ completed: 3 });
  });

  it('are none in a re-created topic: it is read from its beginning', async () => {
    await publish(3);
    const first = await service.start();
    await service.reaches({ completed: 3 });
    await service.createAnew('offset.requested');
    await eventually(() => expect(service.exits.map(String)).toContainEqual(expect.stringContaining('re-created')));
    await first.close();
    await publish(4);
    await service.start();
    await service.reaches({ completed: 7 });
  });

  it('are none on partitions that are added while the service runs', async () => {
    await service.start();
    const kafka = service.kafka();
    const topic = kafka.names.topic('offset.requested');
    await withAdmin(kafka, (admin) => admin.createPartitions({ topicPartitions: [{ topic, count: 13 }] }));
    await eventually(async () => expect(await topicEnds(kafka, 'offset.requested')).toHaveLength(13));
    const requests = Array.from({ length: 200 }, () => request({ kgCO2e: 1 }));
    await eventually(async () => {
      await service.publishRequests(requests);
      const ends = await topicEnds(kafka, 'offset.requested');
      expect(ends[12]?.end).toBeGreaterThan(0n);
    });
    await service.start();
    await service.reaches({ completed: 200 });
    await eventually(async () =>
      expect(
        await service.rows('SELECT partition FROM request_positions WHERE partition = 12 AND position > 0'),
      ).toHaveLength(1),
    );
    expect(service.exits).toEqual([]);
  });
});
