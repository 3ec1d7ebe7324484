import { TimedOutError } from '../index.js';
import { apart, dies, problem, says, serviceOfFile } from '../test-service.js';

const service = serviceOfFile();

const times = { createdAt: '2026-03-02T10:15:30.123Z', updatedAt: '2026-03-02T10:15:30.123Z' };
const recorded = { id: 'off_1', kgCO2e: 1, credits: 0.001, creditsMatched: 0, retirements: [], ...times };
const queued = says(200, { id: 'off_1', status: 'queued' });
const processing = says(200, { ...recorded, status: 'processing' });
const completed = { ...recorded, status: 'completed', cost: 1, currency: 'USD', completedAt: times.createdAt };
const failed = { ...recorded, status: 'failed', failure: { code: 'x', detail: 'y' }, failedAt: times.createdAt };

describe('waiting for an offset', () => {
  it('goes on until it is completed', async () => {
    service.will(queued, processing, processing, says(200, completed));
    expect(await service.client().offsets.waitFor('off_1')).toEqual(completed);
    expect(service.asked).toHaveLength(4);
  });

  it('ends as well when it has failed', async () => {
    service.will(says(200, failed));
    expect(await service.client().offsets.waitFor('off_1')).toEqual(failed);
  });

  it('is not ended by what passes', async () => {
    service.will(
      queued,
      dies,
      problem(503, 'service_unavailable'),
      dies,
      problem(429, 'rate_limited'),
      says(200, completed),
    );
    expect(await service.client({ tries: 2 }).offsets.waitFor('off_1')).toEqual(completed);
  });

  it('is ended by what does not', async () => {
    service.will(queued, problem(404, 'not_found'));
    await expect(service.client().offsets.waitFor('off_1')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('ends when its time is over, and says how far it was', () =>
    apart(async (service) => {
      service.will(processing);
      const begun = performance.now();
      const waiting = service.client().offsets.waitFor('off_1', { timeoutMs: 2_000 });
      const error = await waiting.catch((error: unknown) => error);
      expect(error).toBeInstanceOf(TimedOutError);
      expect(error).toMatchObject({ detail: 'off_1 had not ended after 2000 ms; it was processing' });
      expect(performance.now() - begun).toBeLessThan(20_000);
      // Ten times a second would be twenty: it asks ever less often.
      expect(service.asked.length).toBeGreaterThan(2);
      expect(service.asked.length).toBeLessThanOrEqual(12);
    }));
});
