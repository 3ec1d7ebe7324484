import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError } from './config-error.js';
import { secretList } from './fragments/secrets.js';
import { text } from './fragments/values.js';
import { loadConfig } from './load-config.js';

const SECRET = 'b7Yk2mQp9sTn4vXw8zAc1eFg5hJk3lRd';
const schema = z.object({
  ID_SECRETS: secretList('Proves ids.'),
  HOST: text(/^\S+$/, 'a host', { description: 'Where it listens.', fallback: '127.0.0.1' }),
});

function faultsOf(environment: Record<string, string>): string[] {
  try {
    loadConfig(schema, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map(({ name, detail }) => `${name} ${detail}`);
    throw error;
  }
  throw new Error('it was taken');
}

describe('secrets from files', () => {
  let directory: string;
  let file: string;

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'config-'));
    file = join(directory, 'secrets');
    writeFileSync(file, `${SECRET},\n${SECRET}2\n`);
  });

  afterAll(() => rmSync(directory, { recursive: true }));

  it('reads a secret from the file that <NAME>_FILE names', () => {
    const config = loadConfig(schema, { ID_SECRETS_FILE: file });
    expect(config.ID_SECRETS).toEqual([SECRET, `${SECRET}2`]);
  });

  it('says when the file cannot be read, and nothing more about that secret', () => {
    expect(faultsOf({ ID_SECRETS_FILE: '/nowhere' })).toEqual([
      'ID_SECRETS_FILE names a file that cannot be read (ENOENT); check the path and its permissions',
    ]);
  });

  it('refuses a secret that is set both ways', () => {
    expect(faultsOf({ ID_SECRETS: SECRET, ID_SECRETS_FILE: file })).toEqual([
      'ID_SECRETS_FILE is set beside the setting itself; set only one of the two',
    ]);
  });

  it('reads no file for what is no secret', () => {
    expect(loadConfig(schema, { ID_SECRETS: SECRET, HOST_FILE: file }).HOST).toBe('127.0.0.1');
  });
});
