import { problem } from '../test-client.js';
import { startReader, type TestGateway } from '../test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startReader();
});
afterAll(() => gateway.close());

describe.each(['/v1/assets/pools', '/v1/assets/projects', '/v1/assets/schema'])('%s', (path) => {
  it.each(['POST', 'PUT', 'DELETE'])('answers 405 to %s and says what it allows', async (method) => {
    const answer = await gateway.ask({ method, path });
    expect(answer).toEqual(problem(405, 'method_not_allowed'));
    expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
  });
});

describe('/v1/assets', () => {
  it.each(['/v1/assets', '/v1/assets/', '/v1/assets/pools/', '/v1/assets/schema/', '/v1/assets/nothing'])(
    'serves nothing at %s',
    async (path) => {
      expect(await gateway.ask({ path })).toEqual(problem(404, 'not_found'));
    },
  );
});
