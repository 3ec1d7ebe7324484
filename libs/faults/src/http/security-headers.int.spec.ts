import { SECURITY_HEADERS } from './security-headers.js';
import { startTestApp, type TestApp } from './test-app.js';
import { ask, exchange, type RawAnswer } from './test-wire.js';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

afterAll(() => test.app.close());

/** One answer of each way that an app has to give one. */
const ANSWERS: readonly [string, () => Promise<RawAnswer>][] = [
  ['a success', () => ask(test, '/things?criteria=')],
  ['HEAD', () => ask(test, '/things?criteria=', { method: 'HEAD' })],
  ['OPTIONS', () => ask(test, '/things', { method: 'OPTIONS' })],
  ['a mistake', () => ask(test, '/things')],
  ['an unknown path', () => ask(test, '/nothing')],
  ['a bad address', () => exchange(test.port, 'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')],
  ['a bug', () => ask(test, '/things/bug')],
  ['what is no HTTP', () => exchange(test.port, 'nonsense\r\n\r\n')],
  ['an unknown expectation', () => exchange(test.port, 'GET / HTTP/1.1\r\nHost: x\r\nExpect: y\r\n\r\n')],
  ['CONNECT', () => exchange(test.port, 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n')],
];

describe('every answer', () => {
  it.each(ANSWERS)('says what a browser may do with it: %s', async (_, ask) => {
    const { headers } = await ask();
    expect(Object.fromEntries(headers)).toMatchObject(SECURITY_HEADERS);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(ANSWERS)('says nothing of what made it: %s', async (_, ask) => {
    const { headers } = await ask();
    expect([headers.get('server'), headers.get('x-powered-by'), headers.get('via')]).toEqual([null, null, null]);
  });
});
