import { problem } from '../../test-client.js';
import { startReader, type TestGateway } from '../../test-gateway.js';
import { exchange } from '../../test-wire.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startReader();
});
afterAll(() => gateway.close());

describe('a request that is malformed', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a request line that ends early', 'GET\r\n\r\n'],
    ['a space in the address', 'GET /v1/offsets ?id=x HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a method that HTTP does not know', 'BREW /v1/offsets HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a header without a colon', 'GET /v1/offsets HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n'],
    ['no Host', 'GET /v1/offsets HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two Hosts', 'GET /v1/offsets HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n'],
    ['two lengths', 'POST /v1/offsets HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    [
      'a length and chunks',
      'POST /v1/offsets HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    ['an expectation nobody knows', 'GET /v1/offsets HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\n\r\n'],
    ['a broken escape in the path', 'GET /v1/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ])('is answered with 400: %s', async (_, wire) => {
    expect(await exchange(gateway.url, wire)).toEqual(problem(400, 'invalid_request'));
  });
});
