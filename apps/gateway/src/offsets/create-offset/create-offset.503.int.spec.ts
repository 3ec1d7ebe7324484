import { eventually } from '@carbon/testing';
import { type Answer, problem } from '../../test-client.js';
import { startFreezableGateway } from '../../test-freezable-gateway.js';
import { NOBODY, startGateway } from '../../test-gateway.js';
import { startTcp } from '../../test-upstream.js';

/** How long a POST waits for Kafka, and by when it is answered on a busy machine: nothing else ends a wait before 15 s. */
const WAITING = { ACCEPT_TIMEOUT_MS: '3000' };
const LIMIT_MS = 10_000;
const question = (headers: Record<string, string> = {}) => ({
  method: 'POST',
  path: '/v1/offsets',
  headers,
  body: { kgCO2e: 1 },
});
const retryKeyOf = ({ json }: Answer) => (json as { retryKey: string }).retryKey;

describe('POST /v1/offsets without Kafka', () => {
  it('answers not_accepted in bounded time when nobody listens, under the key that makes trying again safe', async () => {
    const gateway = await startGateway({ KAFKA_BROKERS: NOBODY, ...WAITING });
    try {
      const answer = await gateway.ask(question());
      expect(answer).toEqual(problem(503, 'not_accepted', { retryKey: expect.stringMatching(/^off_/) }));
      expect(answer.ms).toBeLessThan(LIMIT_MS);
    } finally {
      await gateway.close();
    }
  });

  it('answers not_accepted in bounded time when something listens and says nothing', async () => {
    const silence = await startTcp();
    const gateway = await startGateway({ KAFKA_BROKERS: `127.0.0.1:${silence.port}`, ...WAITING });
    try {
      const answer = await gateway.ask(question({ 'idempotency-key': 'order-7' }));
      expect(answer).toEqual(problem(503, 'not_accepted', { retryKey: 'order-7' }));
      expect(answer.ms).toBeLessThan(LIMIT_MS);
    } finally {
      await gateway.close();
      await silence.close();
    }
  });

  it('answers not_accepted at once beyond the most that may wait', async () => {
    const gateway = await startGateway({ KAFKA_BROKERS: NOBODY, ACCEPT_IN_FLIGHT: '8', ACCEPT_TIMEOUT_MS: '5000' });
    try {
      const answers = await Promise.all(Array.from({ length: 12 }, () => gateway.ask(question())));
      for (const answer of answers) expect(answer).toEqual(problem(503, 'not_accepted'));
      expect(answers.filter(({ ms }) => ms < 4_500)).toHaveLength(4);
    } finally {
      await gateway.close();
    }
  });
});

describe('POST /v1/offsets when Kafka falls silent after it was handed the offset', () => {
  it('answers outcome_unknown in bounded time, and trying again lands on the same offset', async () => {
    const { gateway, kafka } = await startFreezableGateway(WAITING);
    try {
      await eventually(async () => expect((await gateway.ask(question())).status).toBe(202));
      kafka.freeze();
      const unknown = await gateway.ask(question());
      expect(unknown).toEqual(problem(503, 'outcome_unknown', { retryKey: expect.stringMatching(/^off_/) }));
      expect(unknown.ms).toBeLessThan(LIMIT_MS);
      kafka.thaw();
      const again = await eventually(async () => {
        const answer = await gateway.ask(question({ 'idempotency-key': retryKeyOf(unknown) }));
        expect(answer.status).toBe(202);
        return answer;
      });
      expect(again.headers.location).toBe(`/v1/offsets?id=${retryKeyOf(unknown)}`);
      const recorded = (await gateway.requested()).filter(({ key }) => String(key) === retryKeyOf(unknown));
      expect(recorded.length).toBeGreaterThanOrEqual(1);
    } finally {
      await gateway.close();
      await kafka.close();
    }
  });
});
