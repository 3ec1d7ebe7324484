import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { compressResponses } from './compression.js';
import { jsonResponse, sendCached } from './json-response.js';

const LARGE = Buffer.from(JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ id, name: 'a project' }))));
const SMALL = Buffer.from('[]');
const PLAIN_TAG = jsonResponse(0, LARGE).etag;
const TAGS = { zstd: encoded('zstd'), br: encoded('br'), gzip: encoded('gzip') };

function encoded(encoding: string): string {
  return `${PLAIN_TAG.slice(0, -1)}.${encoding}"`;
}

let app: FastifyInstance;
beforeAll(async () => {
  app = fastify();
  await compressResponses(app);
  app.get('/:size', (request, reply) => {
    const body = (request.params as { size: string }).size === 'large' ? LARGE : SMALL;
    sendCached(request, reply, jsonResponse(performance.now(), body));
    return reply;
  });
  app.post('/', (request) => request.body);
});
afterAll(() => app.close());

const ask = (headers: Record<string, string>, url = '/large', method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers });

describe('a response of 1,024 bytes or more', () => {
  it.each([
    ['zstd', zstdDecompressSync],
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('is sent as %s, with an entity tag of that encoding', async (encoding, decompress) => {
    const { headers, rawPayload } = await ask({ 'accept-encoding': encoding });
    expect(headers).toMatchObject({ 'content-encoding': encoding, etag: TAGS[encoding] });
    expect(headers['content-length']).toBe(String(rawPayload.length));
    expect(decompress(rawPayload)).toEqual(LARGE);
  });

  it.each([
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, br;q=0.5', 'gzip'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['X-GZIP', 'gzip'],
    ['*', 'gzip'],
    ['deflate', undefined],
    ['identity', undefined],
    ['', undefined],
    ['gzip;q=0', undefined],
    ['compress;;=, ;q', undefined],
  ])('has the best encoding of Accept-Encoding: %s', async (accepted, encoding) => {
    const { headers, rawPayload } = await ask({ 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(encoding);
    if (encoding === undefined) expect([headers.etag, rawPayload]).toEqual([PLAIN_TAG, LARGE]);
  });

  it('is as it was for a client that accepts no encoding', async () => {
    const { headers, rawPayload } = await ask({});
    expect([headers['content-encoding'], headers.etag, rawPayload]).toEqual([undefined, PLAIN_TAG, LARGE]);
  });

  it('has the same headers for HEAD', async () => {
    const get = await ask({ 'accept-encoding': 'br' });
    const head = await ask({ 'accept-encoding': 'br' }, '/large', 'HEAD');
    const compared = ['content-encoding', 'content-length', 'content-type', 'etag', 'vary'];
    for (const name of compared) expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
    expect(head.rawPayload).toHaveLength(0);
  });
});

it('sends smaller responses as they are', async () => {
  const { headers, payload } = await ask({ 'accept-encoding': 'br, gzip' }, '/small');
  expect([headers['content-encoding'], headers.etag, payload]).toEqual([undefined, jsonResponse(0, SMALL).etag, '[]']);
});

describe('a client that has the response', () => {
  it.each([
    ['in the encoding that it accepts', 'br', TAGS.br, TAGS.br],
    ['by a weak tag', 'br', `W/${TAGS.br}`, TAGS.br],
    ['in one of several encodings', 'gzip', `"x", ${TAGS.br}, ${TAGS.gzip}`, TAGS.gzip],
    ['without an encoding', 'br', PLAIN_TAG, PLAIN_TAG],
    ['and accepts no encoding', '', PLAIN_TAG, PLAIN_TAG],
  ])('gets 304 with its tag: %s', async (_, accepted, tags, etag) => {
    const { statusCode, headers } = await ask({ 'accept-encoding': accepted, 'if-none-match': tags });
    expect([statusCode, headers.etag, headers['content-encoding']]).toEqual([304, etag, undefined]);
  });

  it.each([
    ['in an encoding that it does not accept', '', TAGS.br],
    ['in another encoding than it would get', 'gzip', TAGS.br],
  ])('gets it again if it has it %s', async (_, accepted, tags) => {
    const { statusCode } = await ask({ 'accept-encoding': accepted, 'if-none-match': tags });
    expect(statusCode).toBe(200);
  });
});

it('does not decompress requests', async () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const { statusCode } = await app.inject({ method: 'POST', url: '/', headers, body: '{"a":1}' });
  expect(statusCode).toBe(200);
});
