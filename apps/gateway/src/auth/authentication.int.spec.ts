import { connect } from 'node:net';
import { SCOPES } from '@carbon/auth';
import { Controller, Get } from '@nestjs/common';
import { openApiDocument } from '../api-docs/openapi-document.js';
import { startGateway, useGateway } from '../testing/gateway.js';
import { invalidRequest, problem, type TestRequest, type TestResponse } from '../testing/http.js';
import { type TestKey, TestKeyFile, testKey } from '../testing/keys.js';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { KeyFileWatcher } from './key-file-watcher.js';

const good = testKey('acme');
const revoked = testKey('gone', { revokedAt: '2026-02-01T00:00:00Z' });
const expired = testKey('gone', { expiresAt: '2026-02-01T00:00:00Z' });
const wrong = testKey('other');
const narrow = new Map(SCOPES.map((scope) => [scope, testKey(`only-${scope.replace(':', '-')}`, { scopes: [scope] })]));
const typo = good.text.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));

/** Every route with a scope in the API's description, requested so that an admitted caller gets 400. */
const ROUTES = Object.entries(openApiDocument().paths ?? {}).flatMap(([path, { get, post } = {}]) => {
  const [read, write] = [get, post].map((operation) => operation?.security?.[0]?.bearer?.[0]);
  return [
    ...(read ? ['GET', 'HEAD'].map((method) => ({ method, path: `${path}?%zz`, scope: read })) : []),
    ...(write ? [{ method: 'POST', path, body: {}, scope: write }] : []),
  ];
});

const unknownSecret = { ...wrong, entry: { ...wrong.entry, sha256: '0'.repeat(64) } };
const file = new TestKeyFile([good, revoked, expired, unknownSecret, ...narrow.values()]);
const gateway = useGateway(() => ({ API_KEYS_FILE: file.path, NODE_ENV: 'production' }));

const presenting = (text: string): TestRequest['headers'] => ({ authorization: `Bearer ${text}` });

/** Everything of a response but the request's own id and the time. */
function comparable({ status, headers, body }: TestResponse) {
  const { 'x-request-id': id = '', date: _, ...rest } = headers;
  return { status, rest, body: body.toString().replace(String(id), '') };
}

describe('a request without a valid key', () => {
  const REFUSED: readonly TestRequest['headers'][] = [
    {},
    presenting(testKey('nobody').text),
    presenting(wrong.text),
    presenting(revoked.text),
    presenting(expired.text),
    presenting(typo),
    presenting('x'.repeat(8_000)),
    { 'x-api-key': '' },
    { authorization: `Basic ${good.text}` },
    { ...presenting(good.text), 'x-api-key': narrow.get('assets:read')?.text ?? '' },
    { 'x-api-key': [good.text, good.text] },
  ];

  it('gets the same 401, byte for byte, whatever is wrong with it', async () => {
    const responses = await Promise.all(REFUSED.map((headers = {}) => gateway.send({ path: '/v1/offsets', headers })));
    for (const response of responses) {
      expect(response).toEqual(problem(401, 'unauthorized'));
      expect(response.headers['www-authenticate']).toBe('Bearer');
      expect(comparable(response)).toEqual(comparable(responses[0] as TestResponse));
    }
  });

  it.each(ROUTES)('gets it at $method $path as well', async ({ scope: _, ...request }) => {
    expect((await gateway.send(request)).status).toBe(401);
  });

  it('gets it before the body is read', async () => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(gateway.url).port) });
    socket.write(
      'POST /v1/offsets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{',
    );
    const answer = await new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(bytes.toString())));
    socket.destroy();
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  it.each(['key', 'api_key', 'apikey', 'access_token', 'authorization', 'x-api-key'])(
    'gets it with the key in the URL, as %s',
    async (name) => {
      const { status } = await gateway.send({ path: `/v1/offsets?id=none&${name}=${good.text}` });
      expect(status).toBe(401);
    },
  );

  it('still gets 404, 405 and health', async () => {
    expect(await gateway.send({ path: '/v1/nothing' })).toEqual(problem(404, 'not_found'));
    expect(await gateway.send({ method: 'PUT', path: '/v1/offsets' })).toEqual(problem(405, 'method_not_allowed'));
    expect((await gateway.send({ method: 'OPTIONS', path: '/v1/offsets' })).status).toBe(204);
    expect((await gateway.send({ path: '/health/live' })).status).toBe(200);
  });
});

describe('a request with a valid key', () => {
  it('needs offsets:write to create, assets:read for the library, and offsets:read for the rest', () => {
    expect(ROUTES).not.toEqual([]);
    for (const { method, path, scope } of ROUTES) {
      const toRead = path.startsWith('/v1/assets/') ? 'assets:read' : 'offsets:read';
      expect([path, scope]).toEqual([path, method === 'POST' ? 'offsets:write' : toRead]);
    }
  });

  it.each(ROUTES)('is admitted at $method $path with the scope $scope alone', async ({ scope, ...request }) => {
    for (const [has, { headers }] of narrow) {
      const { status } = await gateway.send({ ...request, headers });
      expect([has, status]).toEqual([has, has === scope ? 400 : 403]);
    }
  });

  it('learns which scope it lacks', async () => {
    const { headers } = narrow.get('assets:read') as TestKey;
    const detail = 'This key lacks the scope offsets:read. Use a key that has it, or ask for one.';
    expect(await gateway.send({ path: '/v1/offsets', headers })).toEqual(problem(403, 'forbidden', { detail }));
  });

  it.each([
    [{ authorization: `bearer ${good.text}` }],
    [{ 'x-api-key': good.text }],
    [{ authorization: `Bearer ${good.text}`, 'x-api-key': good.text }],
  ])('is admitted with either header: %#', async (headers) => {
    const response = await gateway.send({ path: '/v1/offsets?id=none', headers });
    expect(response).toEqual(invalidRequest(['id', 'invalid_parameter']));
  });
});

describe('the time until a refusal', () => {
  const SAMPLES = 1_000;
  const IN_A_SAMPLE = 10;

  type KeyedRequest = Parameters<ApiKeyAuthenticator['authenticate']>[0];
  const requestWith = (text: string) =>
    ({ raw: { rawHeaders: ['Host', 'x', 'Authorization', `Bearer ${text}`] } }) as unknown as KeyedRequest;

  // Processor time, measured in turns so that other load affects all equally; medians, so that outliers do not matter.
  it('is the same for unknown, wrong, revoked, expired and malformed, at 1,000 samples each', () => {
    const authenticator = new ApiKeyAuthenticator(new KeyFileWatcher(file.path));
    const requests = [testKey('nobody').text, wrong.text, revoked.text, expired.text, typo].map(requestWith);
    const times = requests.map(() => new Float64Array(SAMPLES));
    const isRefused = (request: KeyedRequest) => {
      try {
        authenticator.authenticate(request);
        return false;
      } catch {
        return true;
      }
    };
    expect(isRefused(requestWith(good.text))).toBe(false);
    for (let sample = -SAMPLES / 4; sample < SAMPLES; sample += 1) {
      for (const [kind, request] of requests.entries()) {
        const begin = process.cpuUsage();
        let refusals = 0;
        for (let nth = 0; nth < IN_A_SAMPLE; nth += 1) refusals += Number(isRefused(request));
        const { user, system } = process.cpuUsage(begin);
        if (refusals !== IN_A_SAMPLE) throw new Error('one was let in');
        if (sample >= 0) (times[kind] as Float64Array)[sample] = user + system;
      }
    }
    const medians = times.map((some) => some.sort()[SAMPLES / 2] ?? 0);
    expect(Math.max(...medians) / Math.min(...medians)).toBeLessThan(1.25);
  });
});

@Controller('v1/forgotten')
class ForgottenController {
  @Get()
  get(): string {
    return 'anything';
  }
}

it('a gateway with a controller under /v1 that names no scope does not start', async () => {
  await expect(startGateway({}, [ForgottenController])).rejects.toThrow('GET /v1/forgotten names no scope');
});
