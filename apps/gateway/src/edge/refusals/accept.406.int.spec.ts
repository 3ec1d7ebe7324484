import { problem } from '../../test-client.js';
import { startGateway, type TestGateway } from '../../test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

describe('a client that takes no JSON', () => {
  it.each(['text/csv', 'text/html, application/xml;q=0.9', 'application/json;q=0, */*'])(
    'is told so with 406: %s',
    async (accept) => {
      for (const path of ['/v1/offsets', '/v1/offsets?id=x', '/v1/estimates?id=x', '/v1/assets/schema']) {
        expect(await gateway.ask({ path, headers: { accept } })).toEqual(problem(406, 'not_acceptable'));
      }
    },
  );

  it('has no offset made for it', async () => {
    const question = { method: 'POST', path: '/v1/offsets', body: { kgCO2e: 1 } };
    expect(await gateway.ask({ ...question, headers: { accept: 'text/csv' } })).toEqual(problem(406, 'not_acceptable'));
    expect(await gateway.requested()).toEqual([]);
    expect((await gateway.ask({ ...question, headers: { accept: 'application/*' } })).status).toBe(202);
  });

  it('is told of what is wrong, as JSON all the same, where nothing is made for it', async () => {
    expect(await gateway.ask({ path: '/v1/nothing', headers: { accept: 'text/html' } })).toEqual(
      problem(404, 'not_found'),
    );
  });

  it('is given probes, metrics and pages as they are', async () => {
    for (const path of ['/health/live', '/metrics', '/problems']) {
      expect((await gateway.ask({ path, headers: { accept: 'text/csv' } })).status).toBe(200);
    }
  });
});
