import { eventually } from '@carbon/testing';
import { type Answer, problem } from '../../test-client.js';
import { type FreezableKafka, startFreezableGateway } from '../../test-freezable-gateway.js';
import type { TestGateway } from '../../test-gateway.js';

const BODY = { kgCO2e: 1 };
const reused = problem(422, 'idempotency_key_reused');

let gateway: TestGateway;
let kafka: FreezableKafka;
beforeAll(async () => {
  ({ gateway, kafka } = await startFreezableGateway({ ACCEPT_TIMEOUT_MS: '3000', ACCEPT_IN_FLIGHT: '1' }));
});
afterAll(async () => {
  await gateway.close();
  await kafka.close();
});

const post = (key?: string, body: object = BODY) =>
  gateway.ask({
    method: 'POST',
    path: '/v1/offsets',
    headers: key === undefined ? {} : { 'idempotency-key': key },
    body,
  });
const retryKeyOf = ({ json }: Answer) => (json as { retryKey: string }).retryKey;
const accepted = (answer: Answer) => ({ status: answer.status, replayed: answer.headers['idempotency-replayed'] });
const publishedAs = async (id: string) => (await gateway.requested()).filter(({ key }) => String(key) === id).length;

/** Accepted again, which Kafka is asked for anew once the send that it left unanswered is over. */
const acceptedAgain = async (key: string) =>
  await eventually(async () => {
    const answer = await post(key);
    expect(answer.status).toBe(202);
    return answer;
  });

describe('trying again after a 503', () => {
  it('is safe under retryKey, whether nothing was sent or nobody knows', async () => {
    await acceptedAgain('warm');
    kafka.freeze();
    const unknown = post();
    const refused = await eventually(async () => {
      const answer = await post();
      expect(answer).toEqual(problem(503, 'not_accepted', { retryKey: expect.stringMatching(/^off_/) }));
      return answer;
    });
    expect(await unknown).toEqual(problem(503, 'outcome_unknown', { retryKey: expect.stringMatching(/^off_/) }));
    const keys = [retryKeyOf(refused), retryKeyOf(await unknown)];
    for (const key of keys) expect(await post(key, { kgCO2e: 2 })).toEqual(reused);
    kafka.thaw();
    for (const key of keys) {
      const again = await acceptedAgain(key);
      expect(again.headers.location).toBe(`/v1/offsets?id=${key}`);
      expect(accepted(again)).toEqual({ status: 202, replayed: undefined });
      expect(accepted(await post(key))).toEqual({ status: 202, replayed: 'true' });
      expect(await post(key, { kgCO2e: 2 })).toEqual(reused);
    }
    expect(await publishedAs(retryKeyOf(refused))).toBe(1);
    expect(await publishedAs(retryKeyOf(await unknown))).toBeGreaterThanOrEqual(1);
  });

  it('is told to everybody who asked for the same at the same time, and published once by the first who tries', async () => {
    await acceptedAgain('warm-again');
    kafka.freeze();
    const twins = await Promise.all(Array.from({ length: 20 }, () => post('order-7')));
    for (const twin of twins) expect(twin).toEqual(problem(503, 'outcome_unknown', { retryKey: 'order-7' }));
    expect(new Set(twins.map(({ json }) => (json as { instance: string }).instance)).size).toBe(20);
    kafka.thaw();
    expect(accepted(await acceptedAgain('order-7'))).toEqual({ status: 202, replayed: undefined });
    expect(accepted(await post('order-7'))).toEqual({ status: 202, replayed: 'true' });
  });
});
