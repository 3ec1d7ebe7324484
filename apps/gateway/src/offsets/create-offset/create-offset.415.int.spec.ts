import { problem } from '../../test-client.js';
import { startGateway, type TestGateway } from '../../test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const post = (headers: Record<string, string>) =>
  gateway.ask({ method: 'POST', path: '/v1/offsets', headers, body: '{"kgCO2e":1}' });

describe('POST /v1/offsets with a body that is not said to be JSON', () => {
  it.each<Record<string, string>>([
    {},
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'application/json; charset=latin1' },
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  ])('answers 415 to %j', async (headers) => {
    expect(await post(headers)).toEqual(problem(415, 'unsupported_media_type'));
  });

  it('takes JSON that is said to be UTF-8', async () => {
    expect((await post({ 'content-type': 'Application/JSON; charset="UTF-8"' })).status).toBe(202);
  });
});
