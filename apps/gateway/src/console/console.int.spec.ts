import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { startGateway, useGateway } from '../testing/gateway.js';
import { problem, send } from '../testing/http.js';

const SCRIPT = '/console/assets/index-B2fKx9aQ.js';
const folder = mkdtempSync(join(tmpdir(), 'console-test-'));
mkdirSync(join(folder, 'built/assets'), { recursive: true });
writeFileSync(join(folder, 'secret.json'), '{}');
writeFileSync(join(folder, 'built/index.html'), '<title>Console</title>');
writeFileSync(join(folder, 'built/assets/index-B2fKx9aQ.js'), 'plain()');
writeFileSync(join(folder, 'built/assets/index-B2fKx9aQ.js.gz'), gzipSync('gzip()'));
writeFileSync(join(folder, 'built/assets/index-B2fKx9aQ.js.br'), 'stands for brotli');
afterAll(() => rmSync(folder, { recursive: true }));

const gateway = useGateway(() => ({ CONSOLE_DIR: join(folder, 'built') }));
const get = (path: string, headers: Record<string, string> = {}) => send(gateway.url, { path, headers });

describe('GET /console', () => {
  it('leads to the page, which loads only from its origin and runs nothing inline', async () => {
    expect((await get('/console')).headers.location).toBe('/console/');
    expect((await get('/console?criteria=x%20y')).headers.location).toBe('/console/?criteria=x%20y');
    const { status, headers, body } = await get('/console/');
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ]);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
    );
    expect(body.toString()).toBe('<title>Console</title>');
  });

  it.each([
    '/console/offsets',
    '/console/offsets/off_04d6v3g8000000000000000001',
    '/console/?kind=pools',
    '/console/x/',
  ])('is the page for each of its views: %s', async (path) =>
    expect((await get(path)).body.toString()).toBe('<title>Console</title>'),
  );

  it('lets a browser keep what has its content in its name', async () => {
    const { headers } = await get(SCRIPT);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await get(SCRIPT, { 'if-none-match': String(headers.etag) })).status).toBe(304);
  });

  it.each([
    ['gzip, deflate, br', 'br', 'stands for brotli'],
    ['gzip;q=0.5, br;q=0', 'gzip', 'gzip()'],
    ['deflate', undefined, 'plain()'],
  ])('sends the prebuilt copy that the client accepts: %s', async (accepted, coding, content) => {
    const { headers, body } = await get(SCRIPT, { 'accept-encoding': accepted });
    expect([headers['content-encoding'], headers.vary, headers['content-type']]).toEqual([
      coding,
      'accept-encoding',
      'text/javascript; charset=utf-8',
    ]);
    expect((coding === 'gzip' ? gunzipSync(body) : body).toString()).toBe(content);
    expect(String(headers.etag).endsWith(`.${coding}"`)).toBe(coding !== undefined);
  });

  it.each([
    ...['../secret.json', '..%2fsecret.json', '%2e%2e/secret.json', 'assets/../../secret.json', '..'],
    ...['assets/index-AAAAAAAA.js', 'assets/index-B2fKx9aQ.js.br', 'assets/x', 'constructor.js', '%00'],
  ])('has no other files: %s', async (path) => {
    expect(await get(`/console/${path}`)).toEqual(problem(404, 'not_found'));
  });

  it('is where / leads a browser', async () => {
    expect((await get('/', { accept: 'text/html' })).headers.location).toBe('/console/');
    expect(await get('/')).toEqual(problem(404, 'not_found'));
  });
});

it.each([
  ['missing', 'which cannot be read'],
  ['', 'which has no index.html'],
])('a gateway does not start with a folder without a console: %s', async (name, reason) => {
  await expect(startGateway({ CONSOLE_DIR: join(folder, name) })).rejects.toThrow(reason);
});
