import { problem } from '../../test-client.js';
import { startGateway, type TestGateway } from '../../test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const post = (body: string | undefined, headers: Record<string, string>) =>
  gateway.ask({ method: 'POST', path: '/v1/offsets', headers, ...(body !== undefined && { body }) });

describe('POST /v1/offsets', () => {
  it('answers 413 to more than 16 KiB', async () => {
    const body = JSON.stringify({ kgCO2e: 1, customerRef: 'x'.repeat(17_000) });
    expect(await post(body, { 'content-type': 'application/json' })).toEqual(problem(413, 'payload_too_large'));
  });

  it.each<Record<string, string>>([
    {},
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
  ])('answers 415 to %j', async (headers) => {
    expect(await post('{"kgCO2e":1}', headers)).toEqual(problem(415, 'unsupported_media_type'));
  });

  it('answers 415 to a compressed body', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect(await post('{"kgCO2e":1}', headers)).toEqual(problem(415, 'unsupported_media_type'));
  });
});

describe('/v1/offsets', () => {
  it.each(['PUT', 'PATCH', 'DELETE'])('answers 405 to %s and says what it allows', async (method) => {
    const answer = await gateway.ask({ method, path: '/v1/offsets' });
    expect(answer).toEqual(problem(405, 'method_not_allowed'));
    expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS, POST');
  });

  it('answers 204 to OPTIONS and says what it allows', async () => {
    const answer = await gateway.ask({ method: 'OPTIONS', path: '/v1/offsets' });
    expect([answer.status, answer.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
  });

  it('is another address than /v1/offsets/', async () => {
    expect(await gateway.ask({ path: '/v1/offsets/' })).toEqual(problem(404, 'not_found'));
  });
});
