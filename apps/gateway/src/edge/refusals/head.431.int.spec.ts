import { problem } from '../../test-client.js';
import { startReader, type TestGateway } from '../../test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startReader({ HTTP_HEAD_BYTES: '2000' });
});
afterAll(() => gateway.close());

const withFiller = (bytes: number, lines = 1) =>
  gateway.ask({
    path: '/v1/offsets?id=x',
    headers: Object.fromEntries(Array.from({ length: lines }, (_, n) => [`x-filler-${n}`, 'a'.repeat(bytes)])),
  });

describe('a head that is too large', () => {
  it('is answered with 431, be it one long header or many short ones', async () => {
    expect(await withFiller(3_000)).toEqual(problem(431, 'header_too_large'));
    expect(await withFiller(10, 150)).toEqual(problem(431, 'header_too_large'));
  });

  it('is read up to the limit', async () => {
    expect(await withFiller(1_000)).toEqual(problem(400, 'invalid_request'));
  });
});
