import { readFileSync } from 'node:fs';
import { problem } from '../test-client.js';
import { startReader, type TestGateway } from '../test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startReader();
});
afterAll(() => gateway.close());

const get = (path: string, headers: Record<string, string> = {}) => gateway.ask({ path, headers });

describe('GET /openapi.json', () => {
  it('is the document that is committed, and asks for no key', async () => {
    const { status, headers, json } = await get('/openapi.json');
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(json).toEqual(JSON.parse(readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8')));
  });

  it('may be kept, and is not sent again to who has it', async () => {
    const { headers } = await get('/openapi.json');
    expect(headers['cache-control']).toBe('no-cache');
    const again = await get('/openapi.json', { 'if-none-match': `"x", W/${headers.etag}` });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
    expect((await get('/openapi.json', { 'if-none-match': '"x"' })).status).toBe(200);
  });

  it('names no host', async () => {
    const text = (await get('/openapi.json')).body.toString();
    expect(text.match(/\w+:\/\/[^"\s]*|127\.0\.0\.1|localhost|[\w.-]:\d{4}\b/g)).toBeNull();
  });
});

describe('GET /docs', () => {
  it('is a page that may load and ask only where it comes from, and runs no script that stands in it', async () => {
    const { status, headers, body } = await get('/docs');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(body.toString()).not.toMatch(/https?:|<script>|\son\w+=|style=/);
  });

  it('has all that the page names, with their types', async () => {
    const page = (await get('/docs')).body.toString();
    const named = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
    const asked = named.map(async (path) => {
      const { status, headers } = await get(`/${path}`);
      return [path, status, headers['content-type']];
    });
    expect(await Promise.all(asked)).toEqual([
      ['docs/favicon-32x32.png', 200, 'image/png'],
      ['docs/swagger-ui.css', 200, 'text/css; charset=utf-8'],
      ['docs/page.css', 200, 'text/css; charset=utf-8'],
      ['openapi.json', 200, 'application/json; charset=utf-8'],
      ['docs/swagger-ui-bundle.js', 200, 'text/javascript; charset=utf-8'],
      ['docs/start.js', 200, 'text/javascript; charset=utf-8'],
    ]);
  });

  it.each(['/docs/', '/docs/index.html', '/docs/package.json', '/docs/..%2fpackage.json', '/docs/constructor'])(
    'has nothing else: %s',
    async (path) => expect(await get(path)).toEqual(problem(404, 'not_found')),
  );
});
