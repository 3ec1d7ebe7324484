import type { RequestListener } from 'node:http';
import { eventually } from '@carbon/testing';
import { openApiDocument } from '../api-docs/openapi-document.js';
import { SEARCH, TEST_IDS, useGateway } from '../testing/gateway.js';
import { problem } from '../testing/http.js';
import { json, reply, useStub } from '../testing/stub-server.js';

const OFFSET = TEST_IDS.generate('off', 'default');
/** Queries with an id, which the gateway checks. It forwards those of all other routes unread. */
const BY_ID: Readonly<Record<string, string>> = {
  '/v1/retirements': `?offset=${OFFSET}`,
  '/v1/estimates': `?id=${TEST_IDS.generate('est', 'default')}`,
};
const UNREAD = '?criteria=name:%20%22a%26b%22+and+x&cursor=a%2Bb';
const BODY = '{"id":"off_1",  "kgCO2e": 1.50, "odd spacing and ünicode": "stay"}';
/** A URL of every GET under /v1, and that of one offset. */
const PATHS = Object.entries(openApiDocument().paths ?? {})
  .filter(([path, { get } = {}]) => path.startsWith('/v1/') && get !== undefined)
  .map(([path]) => `${path}${BY_ID[path] ?? UNREAD}`)
  .concat(`/v1/offsets?id=${OFFSET}`);

const app = useStub();
const gateway = useGateway(() => ({ OFFSETS_URL: app.url, CATALOG_URL: app.url }));

describe.each(PATHS)('GET %s', (path) => {
  const about = {
    link: '</v1/next?cursor=abc>; rel="next"',
    'x-total-count': '57',
    'x-search-hints': '/v1/assets/hints?kind=pools&criteria=source:A&fullTextSearch=',
    etag: '"abc"',
    'cache-control': 'private, max-age=1',
    age: '1',
  };
  const inside = { server: 'nginx/1.2.3', via: '1.1 inside', 'set-cookie': 'a=b', 'x-inside': '1' };
  beforeEach(() => app.respond(json(BODY, { ...about, ...inside })));

  it('forwards the response byte for byte, with the headers that describe it and no others', async () => {
    const { status, headers, body } = await gateway.send({ path });
    expect([status, body.toString()]).toEqual([200, BODY]);
    expect(headers).toMatchObject({ ...about, 'content-type': 'application/json; charset=utf-8' });
    for (const name of Object.keys(inside)) expect(headers).not.toHaveProperty(name);
  });

  it('forwards the query as it was sent, with account, request id and trace', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    await gateway.send({ path, headers: { traceparent, 'x-request-id': 'order-7', 'x-account': 'somebody-else' } });
    expect(app.requests.at(-1)).toMatchObject({
      path,
      headers: {
        'x-account': 'default',
        'x-request-id': 'order-7',
        traceparent: expect.stringMatching(/^00-4bf92f3577b34da6a3ce929d0e0e4736-/),
      },
    });
  });

  it('answers HEAD with the head of GET and no body', async () => {
    const [get, head] = [await gateway.send({ path }), await gateway.send({ path, method: 'HEAD' })];
    const comparable = ({ headers: { date: _, 'x-request-id': __, ...same } }: typeof get) => same;
    expect([head.status, head.body.length, comparable(head)]).toEqual([200, 0, comparable(get)]);
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(BODY)));
  });

  it.each([
    [400, '{"code":"invalid_criteria","status":400,"errors":[{"field":"criteria","position":3}]}', undefined],
    [503, '{"type":"/problems/service_unavailable","code":"service_unavailable","status":503}', '7'],
  ])('forwards a problem as it is: %d', async (status, body, retryAfter) => {
    app.respond(reply(status, 'application/problem+json', body, retryAfter ? { 'retry-after': retryAfter } : {}));
    const response = await gateway.send({ path });
    expect([response.status, response.body.toString(), response.headers['retry-after']]).toEqual([
      status,
      body,
      retryAfter,
    ]);
    expect(response.headers['content-type']).toBe('application/problem+json');
  });

  it('is 503, never queued, empty or 404, when another server responds in the app’s place', async () => {
    const otherServers: RequestListener[] = [
      reply(404, 'text/html', '<h1>404</h1>'),
      reply(404, 'application/json', '{"code":"not_found"}'),
      reply(302, 'application/json', '{}', { location: 'http://127.0.0.1:1/' }),
    ];
    for (const server of otherServers) {
      app.respond(server);
      expect(await gateway.send({ path })).toEqual(problem(503, 'service_unavailable'));
    }
  });
});

describe('a query that is passed on unread', () => {
  it.each(['', '?', '?customerRef=a+b&status=queued', '?limit=1&limit=2', '?&&', '?Id=1'])(
    'is forwarded as it was sent: /v1/offsets%s',
    async (query) => {
      app.respond(json('[]'));
      expect((await gateway.send({ path: `/v1/offsets${query}` })).status).toBe(200);
      expect(app.requests.at(-1)?.path).toBe(`/v1/offsets${query}`);
    },
  );

  it.each(['/v1/offsets?a=%zz', '/v1/offsets?%=1', `${SEARCH}%E0%A4%A`, '/v1/assets/schema?%ff', `${SEARCH}%ed%a0%80`])(
    'is refused when it cannot be decoded, without a call to the app: %s',
    async (path) => {
      const count = app.requests.length;
      expect(await gateway.send({ path })).toEqual(problem(400, 'invalid_request'));
      expect(app.requests).toHaveLength(count);
    },
  );
});

describe('while the other apps are down', () => {
  const alone = useGateway();

  it.each(PATHS)('is 503 with Retry-After: %s', async (path) => {
    expect(await alone.send({ path })).toEqual(problem(503, 'service_unavailable'));
  });
});

describe('while the offsets service is silent', () => {
  const timeoutMs = 1_300;
  const SILENT = [`/v1/offsets?id=${OFFSET}`, '/v1/offsets'];
  const impatient = useGateway(() => ({ OFFSETS_URL: app.url, OFFSETS_TIMEOUT_MS: String(timeoutMs) }));

  it('waits exactly OFFSETS_TIMEOUT_MS, for an offset and for the list', async () => {
    app.respond(() => {});
    // A busy machine may take longer than the timeout of a connection.
    await eventually(async () => {
      for (const response of await Promise.all(SILENT.map((path) => impatient.send({ path })))) {
        expect(response).toEqual(problem(503, 'service_unavailable'));
        expect(response.ms).toBeGreaterThan(timeoutMs - 50);
        expect(response.ms).toBeLessThan(10_000);
      }
    });
  });
});
