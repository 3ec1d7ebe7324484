import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { writeEnvironmentFile } from './environment-file.js';
import { keptSecrets } from './secrets.js';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'secrets-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('the secrets of a local system', () => {
  it('are made once, all different, of 256 bits each', () => {
    const secrets = keptSecrets(dir);
    expect(keptSecrets(dir)).toEqual(secrets);
    expect(new Set(Object.values(secrets)).size).toBe(5);
    for (const secret of Object.values(secrets)) expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  });

  it('lie in files that only their owner may read', () => {
    keptSecrets(dir);
    const environment = writeEnvironmentFile(dir, { A: 'b' });
    for (const file of [join(dir, 'secrets.json'), environment]) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('gain what an older checkout did not have, and keep the others', () => {
    const { INTERNAL_SECRETS: _, ...older } = keptSecrets(dir);
    writeFileSync(join(dir, 'secrets.json'), JSON.stringify(older));
    const whole = keptSecrets(dir);
    expect(whole).toEqual({ ...older, INTERNAL_SECRETS: expect.stringMatching(/^[\w-]{43}$/) });
    expect(keptSecrets(dir)).toEqual(whole);
  });

  it('are not silently made anew when their file is damaged', () => {
    writeFileSync(join(dir, 'secrets.json'), '{"ID_SECRETS": "sho');
    expect(() => keptSecrets(dir)).toThrow('does not hold the secrets it should');
  });

  it('are read back from the environment file as they were written', () => {
    const url = 'postgresql://carbon:p%23@127.0.0.1:1/carbon';
    const quotes = { DOUBLE: 'a"b', SINGLE: "it's", BOTH: `'a' "b"`, BACKTICK: '`a', BACKSLASH: 'a\\n #"' };
    const values = { PLAIN: 'abc-_=', URL: url, HASH: 'a # b', EMPTY: '', ...quotes };
    expect(parseEnv(readFileSync(writeEnvironmentFile(dir, values), 'utf8'))).toEqual(values);
  });
});
