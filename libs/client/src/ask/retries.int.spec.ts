import { CarbonError, NetworkError, NotAcceptedError, RateLimitedError, TimedOutError } from '../index.js';
import {
  accepts,
  apart,
  dies,
  diesMidBody,
  failure,
  hangs,
  problem,
  says,
  serviceOfFile,
  TestService,
  text,
} from '../testing/service.js';

const service = serviceOfFile();

const OFFSET = { kgCO2e: 1 };
const keysSent = () => service.asked.map(({ headers }) => headers['idempotency-key']);

describe('an offset that is sent again', () => {
  it.each([
    ['503 not_accepted', problem(503, 'not_accepted')],
    ['503 outcome_unknown', problem(503, 'outcome_unknown')],
    ['429', problem(429, 'rate_limited')],
    ['408', problem(408, 'request_timeout')],
    ['the 502 of a proxy', text(502, '<html>', { 'content-type': 'text/html' })],
    ['a connection that ends before the answer', dies],
    ['a connection that ends within the answer', diesMidBody],
  ])('bears the same key after %s', async (_, trouble) => {
    service.will(trouble, trouble, accepts);
    const accepted = await service.client().offsets.create(OFFSET);
    expect(accepted).toMatchObject({ id: 'off_1', replayed: false });
    expect(keysSent()).toEqual([accepted.idempotencyKey, accepted.idempotencyKey, accepted.idempotencyKey]);
    expect(accepted.idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
  });

  it('bears the key of the caller, and one of its own for each call otherwise', async () => {
    service.will(dies, accepts);
    await service.client().offsets.create(OFFSET, { idempotencyKey: 'order-1042' });
    expect(keysSent()).toEqual(['order-1042', 'order-1042']);
    service.will(accepts);
    const made = [await service.client().offsets.create(OFFSET), await service.client().offsets.create(OFFSET)];
    expect(new Set(made.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
  });

  it('bears the retryKey of the answer, whatever it was sent under', async () => {
    service.will(problem(503, 'outcome_unknown', { retryKey: 'off_minted' }), accepts);
    await service.client().offsets.create(OFFSET, { idempotencyKey: 'mine' });
    expect(keysSent()).toEqual(['mine', 'off_minted']);
  });

  it('says under which key it may be sent again when all tries have failed', async () => {
    for (const trouble of [dies, problem(503, 'not_accepted'), text(502, ''), problem(500, 'internal_error')]) {
      service.will(trouble);
      const work = service.client({ tries: 2 }).offsets.create(OFFSET, { idempotencyKey: 'mine' });
      expect(await failure(work)).toMatchObject({ retryKey: 'mine' });
    }
    service.will(problem(503, 'outcome_unknown', { retryKey: 'off_minted' }), says(202, {}));
    const unread = service.client().offsets.create(OFFSET, { idempotencyKey: 'mine' });
    expect(await failure(unread)).toMatchObject({ code: 'unexpected_answer', retryKey: 'off_minted' });
    service.will(problem(422, 'idempotency_key_reused'));
    expect(await failure(service.client().offsets.create(OFFSET))).toMatchObject({ retryKey: undefined });
  });
});

describe('an offset after an answer that is none of the service', () => {
  it.each([
    ['a page with success', text(200, '<html>', { 'content-type': 'text/html' })],
    ['a page with a refusal', text(403, '<html>', { 'content-type': 'text/html' })],
    ['a redirect', text(302, '', { location: '/login' })],
    ['half a body', text(202, '{"message": "Off', { 'content-type': 'application/json' })],
    ['no message', says(202, {})],
    ['no id', says(202, { message: 'Thank you.' })],
  ])('may exist: the error says under which key to ask again: %s', async (_, answer) => {
    service.will(answer);
    const error = await failure(service.client().offsets.create(OFFSET, { idempotencyKey: 'mine' }));
    expect(error).toMatchObject({ code: 'unexpected_answer', retryKey: 'mine' });
    expect(service.asked).toHaveLength(1);
  });
});

describe('a request', () => {
  it.each([400, 401, 403, 404, 409, 413, 415, 422, 500])('is not asked again after %i', async (status) => {
    service.will(problem(status, 'whatever'), accepts);
    expect(await failure(service.client().offsets.create(OFFSET))).toMatchObject({ status });
    expect(service.asked).toHaveLength(1);
  });

  it('is not sent again sooner than Retry-After says', async () => {
    service.will(problem(429, 'rate_limited', {}, { 'retry-after': '1' }), says(200, []));
    await service.client().offsets.list().page();
    const [first, second] = service.asked;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  it('does not wait for a Retry-After beyond its time, but says it at once', async () => {
    service.will(problem(429, 'rate_limited', {}, { 'retry-after': '3600' }));
    const begun = performance.now();
    const error = await failure(service.client().offsets.get('x'));
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(error).toMatchObject({ code: 'rate_limited', retryAfter: 3_600 });
    expect([service.asked.length, performance.now() - begun < 10_000]).toEqual([1, true]);
  });

  it('is tried as often as it may be and no more, then fails with the last answer', async () => {
    service.will(dies, problem(503, 'not_accepted'));
    const error = await failure(service.client({ tries: 3 }).offsets.create(OFFSET));
    expect(error).toBeInstanceOf(NotAcceptedError);
    expect(service.asked).toHaveLength(3);
    service.will(dies);
    expect(await failure(service.client().offsets.get('x', { tries: 1 }))).toBeInstanceOf(NetworkError);
    expect(service.asked).toHaveLength(1);
  });

  it('waits longer before each try, and not for ever', () =>
    apart(async (service) => {
      service.will(text(503, ''));
      const error = await failure(service.client({ timeoutMs: 1_500 }).offsets.get('x', { tries: 1_000 }));
      expect(error).toBeInstanceOf(CarbonError);
      expect(service.asked.length).toBeGreaterThanOrEqual(3);
      expect(service.asked.length).toBeLessThanOrEqual(6);
    }));

  it('is tried again when no answer comes in time', () =>
    apart(async (service) => {
      service.will(hangs, says(200, []));
      expect(await service.client({ tryMs: 1_000 }).offsets.list().page()).toEqual({ items: [], cursor: undefined });
      expect(service.asked.length).toBeGreaterThan(1);
    }));

  it.each([{ tryMs: 500, timeoutMs: 3_000 }, { timeoutMs: 100 }])('is given up when its time is over: %j', (limits) =>
    apart(async (service) => {
      service.will(hangs);
      const begun = performance.now();
      expect(await failure(service.client(limits).offsets.get('x'))).toBeInstanceOf(TimedOutError);
      expect(performance.now() - begun).toBeLessThan(15_000);
      if (limits.tryMs) expect(service.asked.length).toBeGreaterThan(1);
    }),
  );

  it('goes to nobody when nobody listens', async () => {
    const away = new TestService();
    await away.start();
    await away.close();
    const error = await failure(away.client({ tries: 2 }).offsets.get('x'));
    expect(error).toBeInstanceOf(NetworkError);
    const cause = { cause: { code: 'ECONNREFUSED' } };
    expect(error).toMatchObject({ code: 'network_failure', status: undefined, cause });
  });
});

describe('the signal of the caller', () => {
  it('ends a call before it begins', async () => {
    service.will(says(200, []));
    const { offsets } = service.client();
    const work = offsets.list({}, { signal: AbortSignal.abort('enough') }).page();
    expect([await failure(work), service.asked.length]).toEqual(['enough', 0]);
  });

  it('ends a call that waits for an answer, and its connection', async () => {
    const controller = new AbortController();
    service.will(() => controller.abort('enough'));
    expect(await failure(service.client().offsets.get('x', { signal: controller.signal }))).toBe('enough');
    await new Promise<void>((resolve) => {
      if (service.asked[0]?.socket.destroyed) resolve();
      service.asked[0]?.socket.once('close', () => resolve());
    });
    expect(service.asked).toHaveLength(1);
  });

  it('ends a call that waits for its next try', async () => {
    const controller = new AbortController();
    service.will((request, response) => {
      problem(503, 'service_unavailable', {}, { 'retry-after': '30' })(request, response);
      response.once('close', () => setTimeout(() => controller.abort(new Error('enough')), 20));
    });
    const begun = performance.now();
    const error = await failure(service.client().offsets.get('x', { signal: controller.signal }));
    expect([error, performance.now() - begun < 15_000]).toEqual([new Error('enough'), true]);
  });

  it('ends the waiting for an offset', async () => {
    const controller = new AbortController();
    service.will((request, response) => {
      says(200, { id: 'off_1', status: 'queued' })(request, response);
      if (service.asked.length === 2) controller.abort('enough');
    });
    expect(await failure(service.client().offsets.waitFor('off_1', { signal: controller.signal }))).toBe('enough');
  });

  it('is heeded also where fetch does not', async () => {
    const controller = new AbortController();
    const deaf = service.client({ fetch: () => new Promise(() => {}) });
    const work = deaf.offsets.get('x', { signal: controller.signal });
    controller.abort('enough');
    expect(await failure(work)).toBe('enough');
    expect(await failure(deaf.offsets.get('x', { timeoutMs: 50 }))).toBeInstanceOf(TimedOutError);
  });
});
