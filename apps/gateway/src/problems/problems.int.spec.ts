import { createHash } from 'node:crypto';
import { FAULTS } from '@carbon/faults';
import { problem } from '../test-client.js';
import { startReader, type TestGateway } from '../test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startReader();
});
afterAll(() => gateway.close());

const get = (path: string, headers: Record<string, string> = {}) => gateway.ask({ path, headers });

describe('GET /problems/<code>', () => {
  it.each(Object.keys(FAULTS))('is a page that explains %s', async (code) => {
    const { status, headers, body } = await get(`/problems/${code}`);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body.toString()).toContain(`<h1><code>${code}</code></h1>`);
  });

  it('is where a problem document’s type points to', async () => {
    const { json } = await get('/v1/nothing');
    const { status, body } = await get((json as { type: string }).type);
    expect(status).toBe(200);
    expect(body.toString()).toContain('There is nothing here');
  });

  it.each(['/problems/nothing', '/problems/index', '/problems/', '/problems/README', '/problems/..%2f..%2fpackage'])(
    'is a problem itself where there is no such code: %s',
    async (path) => expect(await get(path)).toEqual(problem(404, 'not_found')),
  );

  it('lets its own style be used and nothing else be loaded or run', async () => {
    const { headers, body } = await get('/problems/not_found');
    const style = /<style>([\s\S]*?)<\/style>/.exec(body.toString())?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(style.length).toBeGreaterThan(100);
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('may be kept, and is not sent again to who has it', async () => {
    const { headers } = await get('/problems/not_found');
    expect(headers['cache-control']).toBe('no-cache');
    const again = await get('/problems/not_found', { 'if-none-match': `"x", W/${headers.etag}` });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
    expect((await get('/problems/not_found', { 'if-none-match': '"x"' })).status).toBe(200);
  });

  it('takes no other method', async () => {
    expect(await gateway.ask({ method: 'POST', path: '/problems/not_found' })).toEqual(
      problem(405, 'method_not_allowed'),
    );
  });
});

describe('GET /problems', () => {
  it('lists every code, with a link to its page', async () => {
    const { status, body } = await get('/problems');
    expect(status).toBe(200);
    for (const code of Object.keys(FAULTS)) expect(body.toString()).toContain(`href="/problems/${code}"`);
  });
});
