import type { RequestListener } from 'node:http';
import type { Answer, Question } from '../../test-client.js';
import { startReader, type TestGateway } from '../../test-gateway.js';
import { says, startUpstream, type TestUpstream } from '../../test-upstream.js';
import { exchange } from '../../test-wire.js';

/** Traces, files, libraries, engines, addresses, versions, queries: what tells an attacker where to look. */
const INSIDE =
  /\bat .+:\d+:\d+|node_modules|\.[jt]s\b|\b(stack|errno|syscall)\b|fastify|nest(js)?\b|undici|llhttp|zod|typeorm|kafka|opensearch|elastic|postgres|redis|\b(HPE|FST|UND)_|\bE(CONN|PIPE|TIME|ADDR)|SELECT |INSERT |127\.0\.0\.1|localhost|:\d{4,5}\b|\bv?\d+\.\d+\.\d+|hunter2|\/(tmp|usr|home|root|srv)\//i;

let gateway: TestGateway;
let upstream: TestUpstream;
let answer: RequestListener;

beforeAll(async () => {
  upstream = await startUpstream((request, response) => answer(request, response));
  gateway = await startReader({ CATALOG_URL: upstream.url, KAFKA_BROKERS: '127.0.0.1:1', ACCEPT_TIMEOUT_MS: '300' });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

/** All but what the answer says of itself as HTTP, and the request's id. */
function toldBy({ headers, body, json }: Answer): string {
  const { date: _, 'x-request-id': id = '', 'content-length': __, 'keep-alive': ___, ...told } = headers;
  expect(headers['content-type']).toBe('application/problem+json');
  expect((json as { instance: string }).instance).toBe(id);
  return `${JSON.stringify(told)} ${body.toString()}`.replaceAll(String(id), '');
}

const search = '/v1/assets/pools?criteria=&fullTextSearch=';
const post = (body: Question['body'], headers = {}): Question => ({
  method: 'POST',
  path: '/v1/offsets',
  body: body ?? '',
  headers,
});

describe('an answer that is not a success tells nothing of the inside', () => {
  it.each<[string, Question]>([
    ['an unknown address', { path: '/v1/nothing' }],
    ['an unknown problem', { path: '/problems/nothing' }],
    ['another method', { method: 'DELETE', path: '/v1/offsets' }],
    ['an id that is none', { path: '/v1/offsets?id=x' }],
    ['unknown parameters', { path: '/v1/estimates?id=x&debug=true' }],
    ['a broken escape', { path: '/v1/offsets?id=%ff' }],
    ['a broken path', { path: '/v1/%ff' }],
    ['a body that is no JSON', post('{"kgCO2e": 1', { 'content-type': 'application/json' })],
    ['a key of prototypes', post('{"__proto__": {}}', { 'content-type': 'application/json' })],
    ['bytes that are no text', post(Buffer.from([0x22, 0xc3, 0x28, 0x22]), { 'content-type': 'application/json' })],
    ['wrong members', post({ kgCO2e: '1', estimateId: null, toString: 1 })],
    ['another type', post('kgCO2e=1', { 'content-type': 'application/x-www-form-urlencoded' })],
    ['a compressed body', post('{}', { 'content-type': 'application/json', 'content-encoding': 'gzip' })],
    ['a large body', post('x'.repeat(20_000), { 'content-type': 'application/json' })],
    ['a long address', { path: `/v1/offsets?id=${'x'.repeat(17_000)}` }],
    ['a long head', { path: '/v1/offsets', headers: { 'x-filler': 'a'.repeat(25_000) } }],
    ['no JSON wanted', { path: '/v1/offsets', headers: { accept: 'text/csv' } }],
    ['a queue that is away', post({ kgCO2e: 1 })],
    ['an app that is away', { path: '/v1/offsets' }],
    ['another app that is away', { method: 'POST', path: '/v1/estimates', body: { kgCO2e: 1 } }],
  ])('%s', async (_, question) => {
    const told = await gateway.ask(question);
    expect(told.status).toBeGreaterThanOrEqual(400);
    expect(toldBy(told)).not.toMatch(INSIDE);
  });

  it.each([
    ['nonsense', 'nonsense\r\n\r\n'],
    ['an odd length', 'POST /v1/offsets HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n'],
    ['a tunnel', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n'],
  ])('a request that is none: %s', async (_, wire) => {
    expect(toldBy(await exchange(gateway.url, wire))).not.toMatch(INSIDE);
  });

  const trace = 'Error: connect ECONNREFUSED 127.0.0.1:9200\n    at TCP (node:net:1:1) password=hunter2';
  const inner = { 'x-powered-by': 'Express', server: 'nginx/1.2.3', 'set-cookie': 'a=hunter2', via: 'v1.2.3' };
  it('an upstream’s own problem is passed on without what else is in its head', async () => {
    const problem = {
      type: '/problems/invalid_cursor',
      title: 'x',
      status: 400,
      detail: 'x',
      instance: 'r',
      code: 'invalid_cursor',
    };
    answer = says(400, 'application/problem+json', JSON.stringify(problem), inner);
    const { status, headers } = await gateway.ask({ path: search });
    expect(status).toBe(400);
    expect(JSON.stringify(headers)).not.toMatch(/express|nginx|hunter2|1\.2\.3/i);
  });

  it.each<[string, RequestListener]>([
    ['a page with a trace', says(500, 'text/html', `<pre>${trace}</pre>`, inner)],
    ['JSON with a trace', says(500, 'application/json', JSON.stringify({ stack: trace }), inner)],
    ['a success that is none', says(200, 'text/plain', trace, inner)],
    ['a redirect', says(302, 'text/html', trace, { ...inner, location: 'http://127.0.0.1:9200/' })],
    ['a connection that is cut', (_, response) => response.destroy()],
  ])('an upstream that answers with %s', async (_, listener) => {
    answer = listener;
    const told = await gateway.ask({ path: search });
    expect(told.status).toBe(503);
    expect(toldBy(told)).not.toMatch(INSIDE);
  });
});
