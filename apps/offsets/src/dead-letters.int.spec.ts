import { deadLetterTopic, fingerprint, TOPICS } from '@carbon/contracts';
import { readTopic } from '@carbon/messaging';
import { eventually } from '@carbon/testing';
import { pool, request } from './test-events.js';
import { TestService } from './test-service.js';

describe('what cannot be honoured', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.create();
    await service.publishAssets([pool('a')]);
    await service.start();
  });
  afterAll(() => service.close());

  const letters = async () => {
    const topic = deadLetterTopic('offset.requested');
    const found: { key: string; reason: string }[] = [];
    const reason = (headers: unknown) => String((headers as Record<string, unknown>)['x-reason-code']);
    await readTopic(service.kafka(), topic, () => {}, {
      topics: { [topic]: { ...TOPICS['offset.requested'], types: {} } },
      onUnfit: ({ raw }) => found.push({ key: String(raw.key), reason: reason(raw.headers) }),
    });
    return found;
  };

  it('dead-letters another wish under a known id, and lets the next one pass', async () => {
    const one = request({ kgCO2e: 1 });
    await service.publishRequests([one]);
    await service.publishRequests([{ ...one, kgCO2e: 2, grams: '2000', fingerprint: fingerprint({ kgCO2e: 2 }) }]);
    await service.publishRequests([one, request({ kgCO2e: 3 })]);
    await eventually(async () => {
      expect(await letters()).toEqual([{ key: one.id, reason: 'idempotency_conflict' }]);
      expect(await service.counts()).toEqual({ completed: 2 });
    });
    expect(await service.rows('SELECT kg_co2e FROM offsets WHERE id = $1', [one.id])).toEqual([{ kg_co2e: 1 }]);
  });

  it('dead-letters what nobody could be told about, and fails what somebody can', async () => {
    const one = request({ kgCO2e: 1 });
    await service.publish('offset.requested.v1', 'off_unreadable', { hello: 'there' });
    await service.publish('offset.requested.v1', one.id, { ...one, kgCO2e: 'much' });
    await eventually(async () => {
      expect(await letters()).toContainEqual({ key: 'off_unreadable', reason: 'invalid_data' });
      expect(await service.messagesOf('offset.failed')).toMatchObject([
        { key: one.id, value: { code: 'request_rejected', account: 'default' } },
      ]);
    });
  });
});
