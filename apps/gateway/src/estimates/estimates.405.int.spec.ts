import { problem } from '../test-client.js';
import { startReader, type TestGateway } from '../test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startReader();
});
afterAll(() => gateway.close());

describe('/v1/estimates', () => {
  it.each(['PUT', 'PATCH', 'DELETE'])('answers 405 to %s and says what it allows', async (method) => {
    const answer = await gateway.ask({ method, path: '/v1/estimates' });
    expect(answer).toEqual(problem(405, 'method_not_allowed'));
    expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS, POST');
  });

  it('answers 204 to OPTIONS and says what it allows', async () => {
    const answer = await gateway.ask({ method: 'OPTIONS', path: '/v1/estimates' });
    expect([answer.status, answer.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
  });

  it('is another address than /v1/estimates/', async () => {
    expect(await gateway.ask({ path: '/v1/estimates/' })).toEqual(problem(404, 'not_found'));
  });
});
