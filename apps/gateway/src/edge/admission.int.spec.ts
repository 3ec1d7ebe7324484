import { connect } from 'node:net';
import { SCOPES } from '@carbon/keys';
import { type Answer, problem, type Question } from '../test-client.js';
import { startReader, type TestGateway } from '../test-gateway.js';
import { type TestKey, TestKeyFile, testKey } from '../test-keys.js';

const good = testKey('acme');
const revoked = testKey('gone', { revokedAt: '2026-02-01T00:00:00Z' });
const expired = testKey('gone', { expiresAt: '2026-02-01T00:00:00Z' });
const wrong = testKey('other');
const narrow = new Map(SCOPES.map((scope) => [scope, testKey(`only-${scope.replace(':', '-')}`, { scopes: [scope] })]));
const typo = good.text.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));

/** Every route of /v1, asked so that whoever is admitted gets 400 without anybody being asked. */
const ROUTES = [
  { method: 'POST', path: '/v1/offsets', body: {}, scope: 'offsets:write' },
  { method: 'GET', path: '/v1/offsets?id=none', scope: 'offsets:read' },
  { method: 'HEAD', path: '/v1/offsets?id=none', scope: 'offsets:read' },
  { method: 'POST', path: '/v1/estimates', body: {}, scope: 'offsets:write' },
  { method: 'GET', path: '/v1/estimates?id=none', scope: 'offsets:read' },
  { method: 'GET', path: '/v1/retirements?offset=none', scope: 'offsets:read' },
  { method: 'GET', path: '/v1/assets/pools?%zz', scope: 'assets:read' },
  { method: 'GET', path: '/v1/assets/projects?%zz', scope: 'assets:read' },
  { method: 'GET', path: '/v1/assets/schema?%zz', scope: 'assets:read' },
] as const;

let file: TestKeyFile;
let gateway: TestGateway;
beforeAll(async () => {
  const unknownSecret = { ...wrong, entry: { ...wrong.entry, sha256: '0'.repeat(64) } };
  file = new TestKeyFile(good, revoked, expired, unknownSecret, ...narrow.values());
  gateway = await startReader({
    API_KEYS_FILE: file.path,
    NODE_ENV: 'production',
    RATE_LIMIT_FAILED_KEYS: 'unlimited',
  });
});
afterAll(async () => {
  await gateway.close();
  file.remove();
});

const shows = (text: string): Question['headers'] => ({ authorization: `Bearer ${text}` });

/** Everything of an answer but the request's own id and the time. */
function restOf({ status, headers, body }: Answer) {
  const { 'x-request-id': id = '', date: _, ...rest } = headers;
  return { status, rest, body: body.toString().replace(String(id), '') };
}

describe('a request without a key that is taken', () => {
  const REFUSED: readonly (readonly [string, Question['headers']])[] = [
    ['without any', {}],
    ['with an unknown one', shows(testKey('nobody').text)],
    ['with a wrong secret', shows(wrong.text)],
    ['with a revoked one', shows(revoked.text)],
    ['with an expired one', shows(expired.text)],
    ['with a typo', shows(typo)],
    ['with nonsense', shows('x'.repeat(8_000))],
    ['with an empty one', { 'x-api-key': '' }],
    ['with another scheme', { authorization: `Basic ${good.text}` }],
    ['with two that differ', { ...shows(good.text), 'x-api-key': narrow.get('assets:read')?.text ?? '' }],
    ['with the same header twice', { 'x-api-key': [good.text, good.text] }],
  ];

  it('gets the same 401, byte for byte, whatever is wrong with it', async () => {
    const answers = await Promise.all(
      REFUSED.map(([, headers]) => gateway.ask({ path: '/v1/offsets', ...(headers && { headers }) })),
    );
    for (const answer of answers) {
      expect(answer).toEqual(problem(401, 'unauthorized'));
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(restOf(answer)).toEqual(restOf(answers[0] as Answer));
    }
  });

  it.each(ROUTES)('gets it at $method $path as well', async ({ scope: _, ...question }) => {
    const answer = await gateway.ask(question);
    expect(answer.status).toBe(401);
    if (question.method !== 'HEAD') expect(answer).toEqual(problem(401, 'unauthorized'));
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
    'gets it with its key in the address, as %s',
    async (name) => {
      const { status } = await gateway.ask({ path: `/v1/offsets?id=none&${name}=${good.text}` });
      expect(status).toBe(401);
    },
  );

  it('still learns which addresses and methods there are, and how the gateway is', async () => {
    expect(await gateway.ask({ path: '/v1/nothing' })).toEqual(problem(404, 'not_found'));
    expect(await gateway.ask({ method: 'PUT', path: '/v1/offsets' })).toEqual(problem(405, 'method_not_allowed'));
    expect((await gateway.ask({ method: 'OPTIONS', path: '/v1/offsets' })).status).toBe(204);
    expect((await gateway.ask({ path: '/health/live' })).status).toBe(200);
  });
});

describe('a request with a key that is taken', () => {
  it.each(ROUTES)('is admitted at $method $path with the scope $scope alone', async ({ scope, ...question }) => {
    for (const [has, { headers }] of narrow) {
      const { status } = await gateway.ask({ ...question, headers });
      expect([has, status]).toEqual([has, has === scope ? 400 : 403]);
    }
  });

  it('is told which scope it lacks', async () => {
    const { headers } = narrow.get('assets:read') as TestKey;
    const detail = 'This key lacks the scope offsets:read. Use one that has it, or ask for one.';
    expect(await gateway.ask({ path: '/v1/offsets', headers })).toEqual(problem(403, 'forbidden', { detail }));
  });

  it.each([
    [{ authorization: `bearer ${good.text}` }],
    [{ 'x-api-key': good.text }],
    [{ authorization: `Bearer ${good.text}`, 'x-api-key': good.text }],
  ])('is admitted however it shows it: %#', async (headers) => {
    expect(await gateway.ask({ path: '/v1/offsets?id=none', headers })).toEqual(problem(400, 'invalid_request'));
  });
});
