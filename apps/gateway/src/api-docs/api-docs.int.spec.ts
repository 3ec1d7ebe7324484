import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { PROBLEMS } from '@carbon/http';
import { useGateway } from '../testing/gateway.js';
import { problem } from '../testing/http.js';
import { openApiDocument } from './openapi-document.js';

const gateway = useGateway();
const get = (path: string, headers: Record<string, string> = {}) => gateway.send({ path, headers });
const CODES = Object.keys(PROBLEMS);
const HTML = 'text/html; charset=utf-8';

describe('the routes of the gateway', () => {
  /** Routes that are not part of the API: its documentation page, and the operators' routes. */
  const BESIDE = ['GET /', 'GET /docs', 'GET /docs/:file', 'GET /metrics'];

  /** Returns every route, such as `GET /v1/offsets`; HEAD routes are implied by GET. */
  function served(): string[] {
    const tree = gateway.app.getHttpAdapter().getInstance().printRoutes({ commonPrefix: false });
    const above: string[] = [];
    return tree.split('\n').flatMap((line) => {
      const [, indent = '', path = '', methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \((.+)\))?/.exec(line) ?? [];
      if (path === '') return [];
      above.splice(indent.length / 4, above.length, path);
      const allowed = methods.split(', ').filter((method) => method !== '' && method !== 'HEAD');
      return allowed.map((method) => `${method} ${above.join('')}`);
    });
  }

  it('are the described ones and no others', () => {
    const described = Object.entries(openApiDocument().paths ?? {}).flatMap(([path, methods]) =>
      Object.keys(methods ?? {}).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(served().sort()).toEqual([...described, ...BESIDE].sort());
  });
});

describe('GET /openapi.json', () => {
  it('is the committed document, needs no key, and names no host', async () => {
    const { status, headers, json, body } = await get('/openapi.json');
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(json).toEqual(JSON.parse(readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8')));
    expect(body.toString().match(/\w+:\/\/[^"\s]*|127\.0\.0\.1|localhost|[\w.-]:\d{4}\b/g)).toBeNull();
  });
});

describe('GET /docs', () => {
  it('is a page that loads only from its origin and runs no inline script', async () => {
    const { status, headers, body } = await get('/docs');
    expect([status, headers['content-type']]).toEqual([200, HTML]);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(body.toString()).not.toMatch(/https?:|<script>|\son\w+=|style=/);
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['zstd', undefined],
  ])('serves files from copies that are compressed once, to a client that accepts %s', async (accepted, coding) => {
    const { headers } = await get('/docs/swagger-ui-bundle.js', { 'accept-encoding': accepted });
    expect([headers['content-encoding'], headers.vary]).toEqual([coding, 'accept-encoding']);
    const suffix = coding === undefined ? '' : `.${coding}`;
    expect(headers.etag).toMatch(new RegExp(`^"[\\w-]{22}${suffix}"$`));
  });

  it('serves every file that the page loads, with its type', async () => {
    const page = (await get('/docs')).body.toString();
    const named = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(async ([, path = '']) => {
      const { status, headers } = await get(`/${path}`);
      return [path, status, headers['content-type']];
    });
    expect(await Promise.all(named)).toEqual([
      ['docs/favicon-32x32.png', 200, 'image/png'],
      ['docs/swagger-ui.css', 200, 'text/css; charset=utf-8'],
      ['docs/page.css', 200, 'text/css; charset=utf-8'],
      ['openapi.json', 200, 'application/json; charset=utf-8'],
      ['docs/swagger-ui-bundle.js', 200, 'text/javascript; charset=utf-8'],
      ['docs/start.js', 200, 'text/javascript; charset=utf-8'],
    ]);
  });
});

describe('GET /problems', () => {
  it('lists every code with a link to the page that explains it', async () => {
    const list = (await get('/problems')).body.toString();
    const pages = CODES.map(async (code) => {
      const { status, headers, body } = await get(`/problems/${code}`);
      const [isListed, isTitled] = [
        list.includes(`href="/problems/${code}"`),
        body.includes(`<h1><code>${code}</code>`),
      ];
      return { code, status, type: headers['content-type'], isListed, isTitled };
    });
    expect(await Promise.all(pages)).toEqual(
      CODES.map((code) => ({ code, status: 200, type: HTML, isListed: true, isTitled: true })),
    );
  });

  it('allows the style of a page and nothing else', async () => {
    const { headers, body } = await get('/problems/not_found');
    const style = /<style>([\s\S]*?)<\/style>/.exec(body.toString())?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(style.length).toBeGreaterThan(100);
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
  });
});

describe('the files that are served', () => {
  it.each(['/openapi.json', '/problems/not_found'])('are 304 to a client that has them: %s', async (path) => {
    const { headers } = await get(path);
    expect(headers['cache-control']).toBe('no-cache');
    const again = await get(path, { 'if-none-match': `"x", W/${headers.etag}` });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
    expect((await get(path, { 'if-none-match': '"x"' })).status).toBe(200);
  });

  it.each([
    ...['/docs/', '/docs/index.html', '/docs/package.json', '/docs/..%2fpackage.json', '/docs/constructor'],
    ...['/problems/', '/problems/index', '/problems/README', '/problems/..%2f..%2fpackage', '/problems/constructor'],
  ])('are no others: %s', async (path) => expect(await get(path)).toEqual(problem(404, 'not_found')));
});
