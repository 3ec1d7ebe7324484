import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { inheritedEnvironment } from '@carbon/config';
import { eventually, testLog } from '@carbon/testing';
import { ask } from './test-client.js';
import { makeTestTopics, TEST_SECRETS } from './test-gateway.js';
import { TestKeyFile, testKey } from './test-keys.js';

const MAIN = new URL('../dist/main.js', import.meta.url).pathname;

const started: ChildProcess[] = [];

function start(settings: Record<string, string>) {
  const gateway = spawn(process.execPath, [MAIN], {
    env: { ...inheritedEnvironment(), ...TEST_SECRETS, PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(gateway);
  return gateway;
}

/** The lines a running gateway has written, one JSON object each, growing. */
function linesOf(gateway: ChildProcess): { message: string; port?: number }[] {
  const lines: { message: string; port?: number }[] = [];
  const log = testLog('gateway-main');
  let rest = '';
  gateway.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    log.write(chunk);
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.map((line) => JSON.parse(line)));
  });
  return lines;
}

/** A request that the gateway has taken, which says so with `continue`, and whose body is still to come. */
function postBegun(port: number): ClientRequest {
  const headers = { 'content-type': 'application/json', 'content-length': 12, expect: '100-continue' };
  const post = request({ host: '127.0.0.1', port, method: 'POST', path: '/v1/offsets', headers, agent: false });
  post.flushHeaders();
  return post;
}

describe('the gateway’s process', () => {
  // After a failed test: a process that is left would keep the whole run from ending.
  afterEach(() => {
    for (const gateway of started.splice(0)) gateway.kill('SIGKILL');
  });

  it('refuses to start open in production, and says which setting is wrong', async () => {
    const gateway = start({ NODE_ENV: 'production' });
    const said = gateway.stderr ? text(gateway.stderr) : '';
    expect((await once(gateway, 'exit'))[0]).toBe(78);
    expect(await said).toContain('NODE_ENV must not be production');
  });

  it('refuses to start with a key file that is missing or wrong, and says all that is wrong with it', async () => {
    const file = new TestKeyFile();
    writeFileSync(file.path, '{"version": 1, "keys": [{"name": "x"}]}');
    for (const [path, said] of [
      [`${file.path}.not`, 'there is no such file'],
      [file.path, 'keys[0].sha256 is missing'],
    ] as const) {
      const gateway = start({ NODE_ENV: 'production', API_KEYS_FILE: path });
      const complaint = gateway.stderr ? text(gateway.stderr) : '';
      expect((await once(gateway, 'exit'))[0]).toBe(78);
      expect(await complaint).toContain(said);
    }
    file.remove();
  });

  it('starts in production with a key file, and is not open', async () => {
    const file = new TestKeyFile(testKey('acme'));
    const gateway = start({ NODE_ENV: 'production', API_KEYS_FILE: file.path });
    const lines = linesOf(gateway);
    const exit = once(gateway, 'exit');
    await eventually(() => expect(lines.some(({ port }) => port !== undefined)).toBe(true));
    expect(lines.filter(({ message }) => message.startsWith('OPEN MODE'))).toEqual([]);
    gateway.kill('SIGTERM');
    expect((await exit)[0]).toBe(0);
    file.remove();
  });

  it('lists all wrong settings at once', async () => {
    const gateway = start({ ID_SECRETS: 'short', OFFSETS_URL: 'nowhere', PORT: 'x' });
    const said = gateway.stderr ? text(gateway.stderr) : '';
    expect((await once(gateway, 'exit'))[0]).toBe(78);
    for (const name of ['ID_SECRETS', 'OFFSETS_URL', 'PORT']) expect(await said).toContain(name);
  });

  it('says loudly that it is open, and stops on SIGTERM without cutting what is under way', async () => {
    const { topicPrefix } = await makeTestTopics();
    const gateway = start({ TOPIC_PREFIX: topicPrefix, SHUTDOWN_GRACE_MS: '0' });
    const lines = linesOf(gateway);
    const exit = once(gateway, 'exit');
    const port = await eventually(() => {
      const line = lines.find(({ message }) => message.startsWith('gateway listens'));
      if (line?.port === undefined) throw new Error('not listening yet');
      return line.port;
    });
    expect(lines.some(({ message }) => message.startsWith('OPEN MODE'))).toBe(true);
    const first = await ask(`http://127.0.0.1:${port}`, { method: 'POST', path: '/v1/offsets', body: { kgCO2e: 1 } });
    expect(first.status).toBe(202);
    const posts = Array.from({ length: 50 }, () => postBegun(port));
    await Promise.all(posts.map((post) => once(post, 'continue')));
    gateway.kill('SIGTERM');
    await eventually(() => expect(lines.some(({ message }) => message === 'gateway stops')).toBe(true));
    for (const post of posts) post.end('{"kgCO2e":1}');
    for (const [answer] of await Promise.all(posts.map((post) => once(post, 'response')))) {
      expect((answer as IncomingMessage).statusCode).toBe(202);
    }
    expect((await exit)[0]).toBe(0);
  });
});
