import { problem } from '../../test-client.js';
import { startGateway, type TestGateway } from '../../test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const post = (bytes: number) => {
  const body = JSON.stringify({ kgCO2e: 1, customerRef: '' });
  return gateway.ask({
    method: 'POST',
    path: '/v1/offsets',
    headers: { 'content-type': 'application/json' },
    body: body.replace('""', `"${'x'.repeat(bytes - body.length)}"`),
  });
};

describe('POST /v1/offsets with more than 16 KiB', () => {
  it('answers 413', async () => {
    expect(await post(16 * 1024 + 1)).toEqual(problem(413, 'payload_too_large'));
  });

  it('still reads 16 KiB, and finds what is wrong in them', async () => {
    expect(await post(16 * 1024)).toEqual(problem(400, 'invalid_request'));
  });
});
