import { problem } from '../../test-client.js';
import { startReader, type TestGateway } from '../../test-gateway.js';
import { exchange } from '../../test-wire.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startReader({ HTTP_REQUEST_MS: '300' });
});
afterAll(() => gateway.close());

const HEAD = 'POST /v1/offsets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

describe('a request that does not arrive in time', () => {
  it.each([
    ['nothing comes', ''],
    ['the head stops', HEAD],
    ['the body stops', `${HEAD}Content-Length: 15\r\n\r\n{"kgCO2e`],
    ['the chunks stop', `${HEAD}Transfer-Encoding: chunked\r\n\r\n8\r\n{"kgCO2e\r\n`],
  ])('is answered with 408, and its connection closed: %s', async (_, wire) => {
    const answer = await exchange(gateway.url, wire);
    expect(answer).toEqual(problem(408, 'request_timeout'));
    expect(answer.headers.connection).toBe('close');
  });
});
