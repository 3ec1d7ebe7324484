import type { RequestListener } from 'node:http';
import { CANARY } from '@carbon/testing';
import { openApiDocument } from './api-docs/openapi-document.js';
import { SEARCH, UNUSED_ADDRESS, useGateway } from './testing/gateway.js';
import { exchange, problem, type TestRequest, type TestResponse } from './testing/http.js';
import { reply, useStub } from './testing/stub-server.js';

/** Stack traces, files, libraries, engines, addresses, versions, queries: information that helps an attacker. */
const INSIDE =
  /\bat .+:\d+:\d+|node_modules|\.[jt]s\b|\b(stack|errno|syscall)\b|fastify|nest(js)?\b|undici|llhttp|zod|typeorm|kafka|opensearch|elastic|postgres|redis|\b(HPE|FST|UND)_|\bE(CONN|PIPE|TIME|ADDR)|SELECT |INSERT |127\.0\.0\.1|localhost|:\d{4,5}\b|\bv?\d+\.\d+\.\d+|hunter2|\/(tmp|usr|home|root|srv)\//i;

const gateway = useGateway(() => ({
  KAFKA_BROKERS: UNUSED_ADDRESS,
  ACCEPT_TIMEOUT_MS: '300',
  HTTP_URL_BYTES: '1000',
  HTTP_HEAD_BYTES: '4000',
}));

/** Returns the headers and body of a refusal, except for the request's id and the headers of every HTTP response. */
function saidBy({ headers, body, json }: TestResponse): string {
  const { date: _, 'x-request-id': id = '', 'content-length': __, 'keep-alive': ___, ...said } = headers;
  expect((json as { instance: string }).instance).toBe(id);
  return `${JSON.stringify(said)} ${body.toString()}`.replaceAll(String(id), '');
}

const get = (path: string, headers = {}): TestRequest => ({ path, headers });
const post = (body: Required<TestRequest>['body'], headers = {}): TestRequest => {
  return { method: 'POST', path: '/v1/offsets', headers: { 'content-type': 'application/json', ...headers }, body };
};
const wire = (start: string, ...lines: string[]) => [start, ...lines, '', ''].join('\r\n');

/** Requests by their response. A string is written to the connection as it is. */
const REFUSED: readonly (readonly [number, string, string, TestRequest | string])[] = [
  [400, 'invalid_request', 'an invalid id', get('/v1/offsets?id=x')],
  [400, 'invalid_request', 'an unknown parameter', get('/v1/estimates?id=x&debug=true')],
  [400, 'invalid_request', 'a broken escape in the query', get('/v1/offsets?id=%ff')],
  [400, 'invalid_request', 'a broken escape in the path', get('/v1/%zz')],
  [
    400,
    'invalid_request',
    'characters beyond ASCII in the query',
    wire('GET /v1/assets/projects?criteria=country:Türkiye&fullTextSearch= HTTP/1.1', 'Host: x', 'Connection: close'),
  ],
  [400, 'invalid_request', 'wrong members', post({ kgCO2e: '1', estimateId: null, toString: 1 })],
  [400, 'invalid_request', 'an address of as many bytes as it may have', get('/v1/offsets?id='.padEnd(1_000, 'x'))],
  [400, 'invalid_request', 'a head within the limit', get('/v1/offsets?id=x', { filler: 'a'.repeat(3_000) })],
  [400, 'invalid_json', 'a body that is no JSON', post('{"kgCO2e": 1')],
  [400, 'invalid_json', 'a key of prototypes', post('{"__proto__": {}}')],
  [400, 'invalid_json', 'bytes that are no text', post(Buffer.from([0x22, 0xc3, 0x28, 0x22]))],
  [400, 'invalid_request', 'no HTTP at all', wire('hello')],
  [400, 'invalid_request', 'a request line that ends early', wire('GET')],
  [400, 'invalid_request', 'a space in the address', wire('GET /v1/offsets ?id=x HTTP/1.1', 'Host: x')],
  [400, 'invalid_request', 'a method that HTTP does not know', wire('BREW /v1/offsets HTTP/1.1', 'Host: x')],
  [400, 'invalid_request', 'the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  [400, 'invalid_request', 'a header without a colon', wire('GET /v1/offsets HTTP/1.1', 'Host: x', 'nonsense')],
  [400, 'invalid_request', 'no Host', wire('GET /v1/offsets HTTP/1.1', 'Connection: close')],
  [400, 'invalid_request', 'two Hosts', wire('GET / HTTP/1.1', 'Host: x', 'Host: y', 'Connection: close')],
  [400, 'invalid_request', 'an odd length', wire('POST /v1/offsets HTTP/1.1', 'Host: x', 'Content-Length: x')],
  [400, 'invalid_request', 'two lengths', wire('POST / HTTP/1.1', 'Host: x', 'Content-Length: 2', 'Content-Length: 3')],
  [400, 'invalid_request', 'an unknown expectation', wire('GET / HTTP/1.1', 'Host: x', 'Expect: a-miracle')],
  [404, 'not_found', 'an unknown problem', get('/problems/nothing')],
  [404, 'not_found', 'a long name of a problem', get(`/problems/${'x'.repeat(300)}`)],
  [404, 'not_found', 'no JSON wanted where nothing is', get('/v1/nothing', { accept: 'text/html' })],
  [404, 'not_found', 'a target that is no path', wire('OPTIONS * HTTP/1.1', 'Host: x', 'Connection: close')],
  // Texts that no log may contain; all logs are searched for them when the tests have ended.
  ...[
    `/v1/offsets/${CANARY}`,
    ...['/v1', '/v1/', '/v2/offsets', '/v1/Offsets', '//v1/offsets', '/v1/offsets/x', '/v1/assets', '/.env', '/admin'],
    ...['/v1/assets/nothing', '/v1/cl%5Flive%5F0123456789ab%5Faaaaaaaaaaaaaaaa'],
  ].map((path) => [404, 'not_found', path, get(path)] as const),
  [405, 'method_not_allowed', 'a tunnel', wire('CONNECT 169.254.169.254:80 HTTP/1.1', 'Host: x')],
  [406, 'not_acceptable', 'an offset for a client that takes no JSON', post({ kgCO2e: 1 }, { accept: 'text/csv' })],
  [413, 'payload_too_large', 'a large body', post('x'.repeat(20_000))],
  [414, 'uri_too_long', 'an address of a byte too many', get('/v1/offsets?id='.padEnd(1_001, 'x'))],
  [414, 'uri_too_long', 'an address beyond the head’s limit', get('/v1/offsets?id='.padEnd(40_000, 'x'))],
  [415, 'unsupported_media_type', 'a form', post('kgCO2e=1', { 'content-type': 'application/x-www-form-urlencoded' })],
  [415, 'unsupported_media_type', 'a compressed body', post('{}', { 'content-encoding': 'gzip' })],
  [431, 'header_too_large', 'one long header', get('/v1/offsets', { filler: 'a'.repeat(5_000) })],
  [
    431,
    'header_too_large',
    'many short headers',
    get('/v1/offsets', Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`filler-${n}`, 'a'.repeat(10)]))),
  ],
  [503, 'not_accepted', 'an offset while Kafka is away', post({ kgCO2e: 1 })],
  [503, 'not_accepted', 'a client that takes some JSON', post({ kgCO2e: 1 }, { accept: 'application/*' })],
  [503, 'service_unavailable', 'a list while its app is away', get('/v1/offsets')],
];

describe('a refusal', () => {
  it.each(REFUSED)('is %d %s, and reveals no internals: %s', async (status, code, _, request) => {
    const response = await (typeof request === 'string' ? exchange(gateway.url, request) : gateway.send(request));
    expect(response).toEqual(problem(status, code));
    expect(saidBy(response)).not.toMatch(INSIDE);
  });

  it('is counted once, also if it has no route', async () => {
    const counted = async () => {
      const { body } = await gateway.send({ path: '/metrics' });
      const counters = body
        .toString()
        .matchAll(/^carbon_gateway_http_(?:problems|rejected_requests)_total\{.*\} (\d+)$/gm);
      return [...counters].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    for (const [, , what, request] of REFUSED) {
      const before = await counted();
      await (typeof request === 'string' ? exchange(gateway.url, request) : gateway.send(request));
      expect([what, (await counted()) - before]).toEqual([what, 1]);
    }
  });

  it('names /docs at the root, where a browser is redirected', async () => {
    const [root, other] = [await gateway.send({ path: '/' }), await gateway.send({ path: '/v1' })];
    expect(root).toEqual(problem(404, 'not_found'));
    expect(root.json).toMatchObject({ detail: expect.stringContaining('The API is described at /docs.') });
    expect(other.json).toMatchObject({ detail: expect.not.stringContaining('/docs') });
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const browser = await gateway.send({ path: '/', headers: { accept } });
    expect([browser.status, browser.headers.location]).toEqual([302, '/docs']);
    for (const { headers } of [root, browser]) expect(headers.vary).toContain('Accept');
  });
});

describe('a request that does not arrive in time', () => {
  const impatient = useGateway(() => ({ HTTP_REQUEST_MS: '300' }));
  const head = 'POST /v1/offsets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

  it.each([
    ['nothing comes', ''],
    ['the head stops', head],
    ['the body stops', `${head}Content-Length: 15\r\n\r\n{"kgCO2e`],
    ['the chunks stop', `${head}Transfer-Encoding: chunked\r\n\r\n8\r\n{"kgCO2e\r\n`],
  ])('is answered with 408, and its connection closed: %s', async (_, bytes) => {
    const response = await exchange(impatient.url, bytes);
    expect(response).toEqual(problem(408, 'request_timeout'));
    expect(response.headers.connection).toBe('close');
  });
});

describe('a route of the API', () => {
  const routes = Object.entries(openApiDocument().paths ?? {}).map(([path, item = {}]) => {
    const methods = [...(item.get ? ['GET', 'HEAD'] : []), 'OPTIONS', ...(item.post ? ['POST'] : [])];
    return { path: path.replace('{code}', 'not_found'), methods };
  });

  it.each(routes)('$path answers 405 to other methods and 204 to OPTIONS, with $methods', async ({ path, methods }) => {
    const allow = methods.join(', ');
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !methods.includes(method))) {
      const response = await gateway.send({ method, path });
      expect(response).toEqual(problem(405, 'method_not_allowed'));
      expect([method, response.headers.allow]).toEqual([method, allow]);
      expect(saidBy(response)).not.toMatch(INSIDE);
    }
    const { status, headers } = await gateway.send({ method: 'OPTIONS', path });
    expect([status, headers.allow]).toEqual([204, allow]);
    expect(await gateway.send({ path: `${path}/` })).toEqual(problem(404, 'not_found'));
  });

  it.each(routes)('$path responds 406 to a client that does not accept JSON, under /v1 only', async ({ path }) => {
    const isApi = path.startsWith('/v1/');
    for (const accept of ['text/csv', 'text/html, application/xml;q=0.9', 'application/json;q=0, */*']) {
      const response = await gateway.send({ path, headers: { accept } });
      if (isApi) expect(response).toEqual(problem(406, 'not_acceptable'));
      else expect(response.status).not.toBe(406);
    }
  });
});

describe('an upstream with an invalid response', () => {
  const trace = 'Error: connect ECONNREFUSED 127.0.0.1:9200\n    at TCP (node:net:1:1) password=hunter2';
  const inner = { 'x-powered-by': 'Express', server: 'nginx/1.2.3', 'set-cookie': 'a=hunter2', via: 'v1.2.3' };
  const catalog = useStub();
  const before = useGateway(() => ({ CATALOG_URL: catalog.url }));

  it.each<[string, RequestListener]>([
    ['a page with a trace', reply(500, 'text/html', `<pre>${trace}</pre>`, inner)],
    ['JSON with a trace', reply(500, 'application/json', JSON.stringify({ stack: trace }), inner)],
    ['a success without a valid body', reply(200, 'text/plain', trace, inner)],
    ['a redirect', reply(302, 'text/html', trace, { ...inner, location: 'http://127.0.0.1:9200/' })],
    ['a connection that is cut', (_, response) => response.destroy()],
  ])('causes a 503 that reveals nothing of it: %s', async (_, listener) => {
    catalog.respond(listener);
    const response = await before.send({ path: SEARCH });
    expect(response).toEqual(problem(503, 'service_unavailable'));
    expect(saidBy(response)).not.toMatch(INSIDE);
  });
});
