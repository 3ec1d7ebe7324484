import { problem } from '../../test-client.js';
import { startReader, type TestGateway } from '../../test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startReader({ HTTP_URL_BYTES: '1000', HTTP_HEAD_BYTES: '4000' });
});
afterAll(() => gateway.close());

const pathOf = (length: number) => '/v1/offsets?id='.padEnd(length, 'x');

describe('an address that is too long', () => {
  it.each([1_001, 3_000, 40_000])('is answered with 414 when it has %d bytes', async (length) => {
    expect(await gateway.ask({ path: pathOf(length) })).toEqual(problem(414, 'uri_too_long'));
  });

  it('is read up to the limit', async () => {
    expect(await gateway.ask({ path: pathOf(1_000) })).toEqual(problem(400, 'invalid_request'));
  });
});
