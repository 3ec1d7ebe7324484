import { CarbonError, NetworkError, NotAcceptedError, RateLimitedError, TimedOutError } from './index.js';
import {
  acceptOffset,
  closeConnection,
  closeMidBody,
  failure,
  json,
  neverRespond,
  problem,
  serviceOfFile,
  TestService,
  text,
  withOwnService,
} from './testing/service.js';

const service = serviceOfFile();

const OFFSET = { kgCO2e: 1 };
const keysSent = () => service.requests.map(({ headers }) => headers['idempotency-key']);

describe('a retried offset', () => {
  it.each([
    ['503 not_accepted', problem(503, 'not_accepted')],
    ['503 outcome_unknown', problem(503, 'outcome_unknown')],
    ['429', problem(429, 'rate_limited')],
    ['408', problem(408, 'request_timeout')],
    ['the 502 of a proxy', text(502, '<html>', { 'content-type': 'text/html' })],
    ['a connection that ends before the answer', closeConnection],
    ['a connection that ends within the answer', closeMidBody],
  ])('has the same key after %s', async (_, trouble) => {
    service.respondWith(trouble, trouble, acceptOffset);
    const accepted = await service.client().offsets.create(OFFSET);
    expect(accepted).toMatchObject({ id: 'off_1', replayed: false });
    expect(keysSent()).toEqual([accepted.idempotencyKey, accepted.idempotencyKey, accepted.idempotencyKey]);
    expect(accepted.idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
  });

  it('has the key of the caller, else a random one for each call', async () => {
    service.respondWith(closeConnection, acceptOffset);
    await service.client().offsets.create(OFFSET, { idempotencyKey: 'order-1042' });
    expect(keysSent()).toEqual(['order-1042', 'order-1042']);
    service.respondWith(acceptOffset);
    const made = [await service.client().offsets.create(OFFSET), await service.client().offsets.create(OFFSET)];
    expect(new Set(made.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
  });

  it('has the failure of a replayed offset, and none when the offset cannot be read', async () => {
    const replay = json(
      202,
      { message: 'Offset event with ID: off_1 queued for processing.' },
      { 'idempotency-replayed': 'true' },
    );
    const reason = { code: 'insufficient_supply', detail: 'Only 1 credit is available.' };
    const record = { id: 'off_1', status: 'failed', kgCO2e: 1, credits: 1, creditsMatched: 0, retirements: [] };
    const times = { createdAt: 'x', updatedAt: 'x', failedAt: 'x' };
    service.respondWith(replay, json(200, { ...record, ...times, failure: reason }));
    expect(await service.client().offsets.create(OFFSET)).toMatchObject({ replayed: true, failure: reason });
    service.respondWith(replay, problem(403, 'forbidden'));
    expect(await service.client().offsets.create(OFFSET)).not.toHaveProperty('failure');
    expect(service.requests.map(({ path }) => path)).toEqual(['/v1/offsets', '/v1/offsets?id=off_1']);
  });

  it('keeps the key of a try that may have been accepted when the next is rejected', async () => {
    service.respondWith(closeConnection, problem(401, 'unauthorized'));
    const error = await failure(service.client().offsets.create(OFFSET));
    expect(error).toMatchObject({ code: 'unauthorized', retryKey: keysSent()[0] });
    for (const responses of [
      [problem(429, 'rate_limited'), problem(401, 'unauthorized')],
      [closeConnection, problem(422, 'idempotency_key_reused')],
    ]) {
      service.respondWith(...responses);
      expect(await failure(service.client().offsets.create(OFFSET))).toMatchObject({ retryKey: undefined });
    }
  });

  it('has the retryKey of the response', async () => {
    service.respondWith(problem(503, 'outcome_unknown', { retryKey: 'off_minted' }), acceptOffset);
    await service.client().offsets.create(OFFSET, { idempotencyKey: 'mine' });
    expect(keysSent()).toEqual(['mine', 'off_minted']);
  });

  it('fails with the key for a retry after the last try', async () => {
    for (const trouble of [
      closeConnection,
      problem(503, 'not_accepted'),
      text(502, ''),
      problem(500, 'internal_error'),
    ]) {
      service.respondWith(trouble);
      const work = service.client({ tries: 2 }).offsets.create(OFFSET, { idempotencyKey: 'mine' });
      expect(await failure(work)).toMatchObject({ retryKey: 'mine' });
    }
    service.respondWith(problem(503, 'outcome_unknown', { retryKey: 'off_minted' }), json(202, {}));
    const unread = service.client().offsets.create(OFFSET, { idempotencyKey: 'mine' });
    expect(await failure(unread)).toMatchObject({ code: 'unexpected_answer', retryKey: 'off_minted' });
    service.respondWith(problem(422, 'idempotency_key_reused'));
    expect(await failure(service.client().offsets.create(OFFSET))).toMatchObject({ retryKey: undefined });
  });
});

describe('an offset after a response that is not from the service', () => {
  it.each([
    ['a page with success', text(200, '<html>', { 'content-type': 'text/html' })],
    ['a page with a refusal', text(403, '<html>', { 'content-type': 'text/html' })],
    ['a redirect', text(302, '', { location: '/login' })],
    ['half a body', text(202, '{"message": "Off', { 'content-type': 'application/json' })],
    ['no message', json(202, {})],
    ['no id', json(202, { message: 'Thank you.' })],
  ])('may exist, and the error has the key for a retry: %s', async (_, answer) => {
    service.respondWith(answer);
    const error = await failure(service.client().offsets.create(OFFSET, { idempotencyKey: 'mine' }));
    expect(error).toMatchObject({ code: 'unexpected_answer', retryKey: 'mine' });
    expect(service.requests).toHaveLength(1);
  });
});

describe('a request', () => {
  it.each([400, 401, 403, 404, 409, 413, 415, 422, 500])('is not retried after %i', async (status) => {
    service.respondWith(problem(status, 'whatever'), acceptOffset);
    expect(await failure(service.client().offsets.create(OFFSET))).toMatchObject({ status });
    expect(service.requests).toHaveLength(1);
  });

  it('is not retried before Retry-After', async () => {
    service.respondWith(problem(429, 'rate_limited', {}, { 'retry-after': '1' }), json(200, []));
    await service.client().offsets.list().page();
    const [first, second] = service.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  it('fails at once when Retry-After is beyond its timeout', async () => {
    service.respondWith(problem(429, 'rate_limited', {}, { 'retry-after': '3600' }));
    const begun = performance.now();
    const error = await failure(service.client().offsets.get('x'));
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(error).toMatchObject({ code: 'rate_limited', retryAfter: 3_600 });
    expect([service.requests.length, performance.now() - begun < 10_000]).toEqual([1, true]);
  });

  it('fails with the last error after its number of tries', async () => {
    service.respondWith(closeConnection, problem(503, 'not_accepted'));
    const error = await failure(service.client({ tries: 3 }).offsets.create(OFFSET));
    expect(error).toBeInstanceOf(NotAcceptedError);
    expect(service.requests).toHaveLength(3);
    service.respondWith(closeConnection);
    expect(await failure(service.client().offsets.get('x', { tries: 1 }))).toBeInstanceOf(NetworkError);
    expect(service.requests).toHaveLength(1);
  });

  it('waits longer before each try, up to its timeout', () =>
    withOwnService(async (service) => {
      service.respondWith(text(503, ''));
      const error = await failure(service.client({ timeoutMs: 1_500 }).offsets.get('x', { tries: 1_000 }));
      expect(error).toBeInstanceOf(CarbonError);
      expect(service.requests.length).toBeGreaterThanOrEqual(3);
      expect(service.requests.length).toBeLessThanOrEqual(6);
    }));

  it('is retried after the timeout of a try', () =>
    withOwnService(async (service) => {
      service.respondWith(neverRespond, json(200, []));
      expect(await service.client({ tryMs: 1_000 }).offsets.list().page()).toEqual({ items: [], cursor: undefined });
      expect(service.requests.length).toBeGreaterThan(1);
    }));

  it.each([{ tryMs: 500, timeoutMs: 3_000 }, { timeoutMs: 100 }])('fails after its timeout: %j', (limits) =>
    withOwnService(async (service) => {
      service.respondWith(neverRespond);
      const begun = performance.now();
      expect(await failure(service.client(limits).offsets.get('x'))).toBeInstanceOf(TimedOutError);
      expect(performance.now() - begun).toBeLessThan(15_000);
      if (limits.tryMs) expect(service.requests.length).toBeGreaterThan(1);
    }),
  );

  it('fails when nothing listens', async () => {
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
  it('aborts a call before it starts', async () => {
    service.respondWith(json(200, []));
    const { offsets } = service.client();
    const work = offsets.list({}, { signal: AbortSignal.abort('enough') }).page();
    expect([await failure(work), service.requests.length]).toEqual(['enough', 0]);
  });

  it('aborts a call that waits for a response, and its connection', async () => {
    const controller = new AbortController();
    service.respondWith(() => controller.abort('enough'));
    expect(await failure(service.client().offsets.get('x', { signal: controller.signal }))).toBe('enough');
    await new Promise<void>((resolve) => {
      if (service.requests[0]?.socket.destroyed) resolve();
      service.requests[0]?.socket.once('close', () => resolve());
    });
    expect(service.requests).toHaveLength(1);
  });

  it('aborts a call that waits for its next try', async () => {
    const controller = new AbortController();
    service.respondWith((request, response) => {
      problem(503, 'service_unavailable', {}, { 'retry-after': '30' })(request, response);
      response.once('close', () => setTimeout(() => controller.abort(new Error('enough')), 20));
    });
    const begun = performance.now();
    const error = await failure(service.client().offsets.get('x', { signal: controller.signal }));
    expect([error, performance.now() - begun < 15_000]).toEqual([new Error('enough'), true]);
  });

  it('aborts the wait for an offset', async () => {
    const controller = new AbortController();
    service.respondWith((request, response) => {
      json(200, { id: 'off_1', status: 'queued' })(request, response);
      if (service.requests.length === 2) controller.abort('enough');
    });
    expect(await failure(service.client().offsets.waitFor('off_1', { signal: controller.signal }))).toBe('enough');
  });

  it('aborts a call although fetch ignores it', async () => {
    const controller = new AbortController();
    const unresponsive = service.client({ fetch: () => new Promise(() => {}) });
    const work = unresponsive.offsets.get('x', { signal: controller.signal });
    controller.abort('enough');
    expect(await failure(work)).toBe('enough');
    expect(await failure(unresponsive.offsets.get('x', { timeoutMs: 50 }))).toBeInstanceOf(TimedOutError);
  });
});
