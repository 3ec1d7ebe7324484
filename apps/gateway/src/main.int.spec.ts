import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { inheritedEnvironment } from '@carbon/config';
import { eventually } from '@carbon/testing';
import { ask } from './test-client.js';
import { makeTestTopics, TEST_SECRETS } from './test-gateway.js';

const MAIN = new URL('../dist/main.js', import.meta.url).pathname;

const start = (settings: Record<string, string>) =>
  spawn(process.execPath, [MAIN], {
    env: { ...inheritedEnvironment(), ...TEST_SECRETS, PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** The lines a running gateway has written, one JSON object each, growing. */
function linesOf(gateway: ChildProcess): { message: string; port?: number }[] {
  const lines: { message: string; port?: number }[] = [];
  let rest = '';
  gateway.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.map((line) => JSON.parse(line)));
  });
  return lines;
}

describe('the gateway’s process', () => {
  it('refuses to start open in production, and says which setting is wrong', async () => {
    const gateway = start({ NODE_ENV: 'production' });
    const said = gateway.stderr ? text(gateway.stderr) : '';
    expect((await once(gateway, 'exit'))[0]).toBe(78);
    expect(await said).toContain('NODE_ENV must not be production');
  });

  it('lists all wrong settings at once', async () => {
    const gateway = start({ ID_SECRETS: 'short', OFFSETS_URL: 'nowhere', PORT: 'x' });
    const said = gateway.stderr ? text(gateway.stderr) : '';
    expect((await once(gateway, 'exit'))[0]).toBe(78);
    for (const name of ['ID_SECRETS', 'OFFSETS_URL', 'PORT']) expect(await said).toContain(name);
  });

  it('says loudly that it is open, and stops on SIGTERM without cutting what is under way', async () => {
    const { topicPrefix } = await makeTestTopics();
    const gateway = start({ TOPIC_PREFIX: topicPrefix });
    const lines = linesOf(gateway);
    const exit = once(gateway, 'exit');
    const port = await eventually(() => {
      const line = lines.find(({ message }) => message.startsWith('gateway listens'));
      if (line?.port === undefined) throw new Error('not listening yet');
      return line.port;
    });
    expect(lines.some(({ message }) => message.startsWith('OPEN MODE'))).toBe(true);
    const post = () => ask(`http://127.0.0.1:${port}`, { method: 'POST', path: '/v1/offsets', body: { kgCO2e: 1 } });
    expect((await post()).status).toBe(202);
    const underWay = Array.from({ length: 50 }, post);
    await underWay[0];
    gateway.kill('SIGTERM');
    for (const answer of await Promise.all(underWay)) expect(answer.status).toBe(202);
    expect((await exit)[0]).toBe(0);
  });
});
