import { execFile } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { loadCliEnvironment } from './environment.js';
import { loadConfig } from './load-config.js';
import { secretList, text } from './setting.js';

const directory = mkdtempSync(join(tmpdir(), 'config-'));

afterAll(() => rmSync(directory, { recursive: true }));

describe('a secret from a file', () => {
  const SECRET = 'b7Yk2mQp9sTn4vXw8zAc1eFg5hJk3lRd';
  const file = join(directory, 'secrets');
  const schema = z.object({
    ID_SECRETS: secretList('Proves ids.'),
    HOST: text(/^\S+$/, 'a host', { description: 'Where it listens.', fallback: '127.0.0.1' }),
  });

  beforeAll(() => writeFileSync(file, `${SECRET},\n${SECRET}2\n`));

  it('is read from the file that <NAME>_FILE names; other settings are not', () => {
    const config = loadConfig(schema, { ID_SECRETS_FILE: file, HOST_FILE: file });
    expect(config).toEqual({ ID_SECRETS: [SECRET, `${SECRET}2`], HOST: '127.0.0.1' });
  });

  it.each([
    ['names a file that cannot be read (ENOENT); check the path and its permissions', { ID_SECRETS_FILE: '/nowhere' }],
    ['conflicts with ID_SECRETS; set only one of them', { ID_SECRETS: SECRET, ID_SECRETS_FILE: file }],
  ])('is rejected when it %s', (detail, environment) => {
    const issue = expect.objectContaining({ name: 'ID_SECRETS_FILE', detail });
    expect(() => loadConfig(schema, environment)).toThrow(expect.objectContaining({ issues: [issue] }));
  });
});

describe('the environment of a command', () => {
  const checkout = join(directory, 'checkout');
  const inside = join(checkout, 'apps', 'offsets');
  const file = join(checkout, '.local', 'environment');

  beforeAll(() => {
    mkdirSync(inside, { recursive: true });
    mkdirSync(join(checkout, '.local'));
  });

  beforeEach(() => writeFileSync(file, '# written at the start\nA=1\nB="two words"\nC=3\nD=4\n'));

  it('takes unset variables from the checkout of the current folder', () => {
    const environment = loadCliEnvironment({ A: 'mine', D_FILE: '/run/d', C: '' }, [inside]);
    expect(environment).toEqual({ A: 'mine', B: 'two words', C: '3', D_FILE: '/run/d' });
  });

  it('falls back to the checkout of the command', () => {
    expect(loadCliEnvironment({}, [directory, checkout]).A).toBe('1');
  });

  it('takes no setting of an engine when it names another one', () => {
    writeFileSync(file, 'KAFKA_BROKERS=own:1\nKAFKA_TLS=on\nKAFKA_SASL_PASSWORD=secret\nOPENSEARCH_PASSWORD=other\n');
    const environment = loadCliEnvironment({ KAFKA_BROKERS: 'stranger:1' }, [inside]);
    expect(environment).toEqual({ KAFKA_BROKERS: 'stranger:1', OPENSEARCH_PASSWORD: 'other' });
  });

  it('takes nothing from a file of another user', () => {
    // Only root can give a file to another user.
    if (process.getuid?.() !== 0) return;
    chownSync(file, 12_345, 12_345);
    expect(loadCliEnvironment({ A: 'mine' }, [inside])).toEqual({ A: 'mine' });
    rmSync(file);
  });

  it('is unchanged without a running system', () => {
    expect(loadCliEnvironment({ A: 'mine' }, [directory])).toEqual({ A: 'mine' });
  });
});

describe('a process that loads its settings', () => {
  const MAIN = `
    const { z } = await import('zod');
    const { kafkaSettings, loadConfigOrExit, logSettings } = await import(process.argv[1]);
    console.log(loadConfigOrExit(z.object({ ...kafkaSettings, ...logSettings })).LOG_LEVEL);
  `;

  function run(env: Record<string, string>): Promise<{ code: unknown; stdout: string; stderr: string }> {
    const args = ['--input-type=module', '-e', MAIN, join(import.meta.dirname, '..', 'dist', 'index.js')];
    return new Promise((resolve) => {
      execFile(process.execPath, args, { env, cwd: import.meta.dirname }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      );
    });
  }

  it('continues when they are valid', async () => {
    expect(await run({ LOG_LEVEL: 'debug' })).toEqual({ code: 0, stdout: 'debug\n', stderr: '' });
  });

  it('exits with 78 when they are invalid, with all of them on standard error', async () => {
    expect(await run({ LOG_LEVEL: 'loud', KAFKA_BROKERS: 'kafka' })).toEqual({
      code: 78,
      stdout: '',
      stderr:
        'Invalid configuration:\n' +
        '  KAFKA_BROKERS must be one or more host:port, separated by commas (it is "kafka")\n' +
        '  LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent (it is "loud")\n',
    });
  });
});
