import { CANARY, eventually } from '@carbon/testing';
import { pool, request } from './test-events.js';
import { TestService } from './test-service.js';

describe('an offset on its way through the service', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.create();
    await service.publishAssets([pool('cheap', { price: 5, issued: 1 }), pool('dear', { price: 20 })]);
    await service.start();
  });

  afterAll(() => service.close());

  it('goes from its request to its announcement, and its trace with it', async () => {
    const one = request({ kgCO2e: 1234.5, customerRef: CANARY });
    const trace = 'cafe0123456789abcafe0123456789ab';
    await service.publish('offset.requested.v1', one.id, one, `00-${trace}-00f067aa0ba902b7-01`);
    await eventually(async () => {
      expect(await service.counts()).toEqual({ completed: 1 });
      const messages = await service.messagesOf('offset.completed');
      expect(messages).toMatchObject([{ key: one.id, value: { id: one.id, grams: '1234500', costMicros: '9690000' } }]);
      expect(messages[0]?.headers.traceparent).toContain(trace);
    });
  });
});
