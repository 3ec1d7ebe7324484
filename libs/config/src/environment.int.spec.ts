import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { secretList } from './fragments/secrets.js';
import { text } from './fragments/values.js';
import { loadCliEnvironment } from './load-cli-environment.js';
import { loadConfig } from './load-config.js';

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

  it('is the one that <NAME>_FILE names; what is no secret is read from no file', () => {
    const config = loadConfig(schema, { ID_SECRETS_FILE: file, HOST_FILE: file });
    expect(config).toEqual({ ID_SECRETS: [SECRET, `${SECRET}2`], HOST: '127.0.0.1' });
  });

  it.each([
    ['names a file that cannot be read (ENOENT); check the path and its permissions', { ID_SECRETS_FILE: '/nowhere' }],
    ['is set beside the setting itself; set only one of the two', { ID_SECRETS: SECRET, ID_SECRETS_FILE: file }],
  ])('is refused when it %s', (detail, environment) => {
    const fault = expect.objectContaining({ name: 'ID_SECRETS_FILE', detail });
    expect(() => loadConfig(schema, environment)).toThrow(expect.objectContaining({ faults: [fault] }));
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

  it('has what is not set from the checkout that the command runs in', () => {
    const environment = loadCliEnvironment({ A: 'mine', D_FILE: '/run/d', C: '' }, [inside]);
    expect(environment).toEqual({ A: 'mine', B: 'two words', C: '3', D_FILE: '/run/d' });
  });

  it('falls back to the checkout that the command belongs to', () => {
    expect(loadCliEnvironment({}, [directory, checkout]).A).toBe('1');
  });

  it('does not say how an engine is reached when it names another one', () => {
    writeFileSync(file, 'KAFKA_BROKERS=own:1\nKAFKA_TLS=on\nKAFKA_SASL_PASSWORD=secret\nOPENSEARCH_PASSWORD=other\n');
    const environment = loadCliEnvironment({ KAFKA_BROKERS: 'stranger:1' }, [inside]);
    expect(environment).toEqual({ KAFKA_BROKERS: 'stranger:1', OPENSEARCH_PASSWORD: 'other' });
  });

  it('stays as it is where nothing runs', () => {
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

  it('goes on when they are good', async () => {
    expect(await run({ LOG_LEVEL: 'debug' })).toEqual({ code: 0, stdout: 'debug\n', stderr: '' });
  });

  it('ends with 78 when they are wrong, with all of them on standard error', async () => {
    expect(await run({ LOG_LEVEL: 'loud', KAFKA_BROKERS: 'kafka' })).toEqual({
      code: 78,
      stdout: '',
      stderr:
        'The configuration cannot be used:\n' +
        '  KAFKA_BROKERS must be one or more host:port, separated by commas (it is "kafka")\n' +
        '  LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent (it is "loud")\n',
    });
  });
});
