import { startTestApp, type TestApp } from './test-app.js';
import { ask, exchange, expectProblem } from './test-wire.js';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ requestMs: 1_000, headMs: 500, checkEveryMs: 50, handlerMs: 1_500 });
});

afterAll(() => test.app.close());

const HEAD = 'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

describe('time', () => {
  it('answers a head that does not arrive with 408', async () => {
    expectProblem(await exchange(test.port, 'GET /things HTTP/1.1\r\nHost: x\r\n'), 'request_timeout');
  });

  it('answers a connection that never says anything with 408', async () => {
    expectProblem(await exchange(test.port), 'request_timeout');
  });

  it('answers a body that does not arrive with 408', async () => {
    const answer = await exchange(test.port, HEAD, 'Content-Length: 15\r\n\r\n', '{"weight');
    expectProblem(answer, 'request_timeout');
    expect(test.refused).toContain('request_timeout');
  });

  it('answers for a handler that hangs with 503', async () => {
    const answer = await ask(test, '/things/hangs');
    expectProblem(answer, 'service_unavailable');
    expect(answer.headers.get('retry-after')).toBe('1');
  });
});

describe('what handlers throw', () => {
  it('answers a bug with 500 that holds nothing of the inside, and reports it', async () => {
    test.bugs.length = 0;
    const problem = expectProblem(await ask(test, '/things/bug'), 'internal_error');
    expect(Object.keys(problem).sort()).toEqual(['code', 'detail', 'instance', 'status', 'title', 'type']);
    expect(test.bugs).toEqual([expect.objectContaining({ message: 'password=hunter2' })]);
  });

  it('answers a passing trouble with 503, when to try again, and its own members', async () => {
    const answer = await ask(test, '/things/away');
    expect(expectProblem(answer, 'not_accepted').retryKey).toBe('k-1');
    expect(answer.headers.get('retry-after')).toBe('3');
  });

  it('answers a missing key with the scheme to use', async () => {
    const answer = await ask(test, '/things/key');
    expectProblem(answer, 'unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });
});
