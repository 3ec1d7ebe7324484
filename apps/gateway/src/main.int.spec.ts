import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { inheritedEnvironment } from '@carbon/config';
import { eventually, testLog } from '@carbon/testing';
import { createTestTopics, type Settings, TEST_SECRETS } from './testing/gateway.js';
import { send } from './testing/http.js';
import { TestKeyFile, testKey } from './testing/keys.js';

const MAIN = new URL('../dist/main.js', import.meta.url).pathname;

const started: ChildProcess[] = [];

function start(settings: Settings) {
  const gateway = spawn(process.execPath, [MAIN], {
    env: { ...inheritedEnvironment(), ...TEST_SECRETS, PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(gateway);
  return gateway;
}

/** Starts a gateway process and waits until it listens. Its log is appended to `messages`. */
async function startListening(settings: Settings) {
  const gateway = start(settings);
  const exit = once(gateway, 'exit');
  const lines: { message: string; port?: number }[] = [];
  const log = testLog('gateway-main');
  let rest = '';
  gateway.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    log.write(chunk);
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.map((line) => JSON.parse(line)));
  });
  const port = await eventually(() => {
    const line = lines.find(({ message }) => message.startsWith('gateway listens'));
    if (line?.port === undefined) throw new Error('not listening yet');
    return line.port;
  });
  const stop = async () => {
    gateway.kill('SIGTERM');
    return (await exit)[0];
  };
  const hasLogged = (beginning: string) => lines.some(({ message }) => message.startsWith(beginning));
  return { port, stop, hasLogged };
}

/** A request that the gateway has accepted, as its `100 Continue` shows, and whose body has not arrived. */
function postBegun(port: number): ClientRequest {
  const headers = { 'content-type': 'application/json', 'content-length': 12, expect: '100-continue' };
  const post = request({ host: '127.0.0.1', port, method: 'POST', path: '/v1/offsets', headers, agent: false });
  post.flushHeaders();
  return post;
}

describe('the gateway’s process', () => {
  const valid = new TestKeyFile([testKey('acme')]);
  const broken = new TestKeyFile();
  writeFileSync(broken.path, '{"version": 1, "keys": [{"name": "x"}]}');
  const production = { NODE_ENV: 'production' };

  // After a failed test a remaining process would keep the test run from ending.
  afterEach(() => {
    for (const gateway of started.splice(0)) gateway.kill('SIGKILL');
  });

  it.each<[string, Settings, string[]]>([
    ['open in production', production, ['NODE_ENV must not be production']],
    ['with several wrong settings', { ID_SECRETS: 'short', PORT: 'x' }, ['ID_SECRETS', 'PORT']],
    ['without its key file', { API_KEYS_FILE: `${valid.path}.not` }, ['there is no such file']],
    ['with a wrong key file', { ...production, API_KEYS_FILE: broken.path }, ['keys[0].sha256 is missing']],
  ])('refuses to start %s, and lists all errors', async (_, settings, reasons) => {
    const gateway = start(settings);
    const said = text(gateway.stderr);
    expect((await once(gateway, 'exit'))[0]).toBe(78);
    for (const reason of reasons) expect(await said).toContain(reason);
  });

  it('starts in production with a key file, and is not open', async () => {
    const { stop, hasLogged } = await startListening({ ...production, API_KEYS_FILE: valid.path });
    expect(hasLogged('OPEN MODE')).toBe(false);
    expect(await stop()).toBe(0);
  });

  it('warns that it is open, and finishes requests in progress on SIGTERM', async () => {
    const settings = { TOPIC_PREFIX: await createTestTopics(), SHUTDOWN_GRACE_MS: '0' };
    const { port, stop, hasLogged } = await startListening(settings);
    expect(hasLogged('OPEN MODE')).toBe(true);
    const first = { method: 'POST', path: '/v1/offsets', body: { kgCO2e: 1 } };
    expect((await send(`http://127.0.0.1:${port}`, first)).status).toBe(202);
    const posts = Array.from({ length: 50 }, () => postBegun(port));
    await Promise.all(posts.map((post) => once(post, 'continue')));
    const exit = stop();
    await eventually(() => expect(hasLogged('gateway stops')).toBe(true));
    for (const post of posts) post.end('{"kgCO2e":1}');
    for (const [answer] of await Promise.all(posts.map((post) => once(post, 'response'))))
      expect((answer as IncomingMessage).statusCode).toBe(202);
    expect(await exit).toBe(0);
  });
});
