import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from './settings.js';

/** What the file of a checkout adds. */
const beside = { GATEWAY_URL: 'http://127.0.0.1:3000', API_KEY: 'the-key-of-the-checkout' };
const merge = (own: object) => ({ ...beside, ...own });
const KEY = 'cl_live_0123456789ab_secret';

describe('whom a command asks', () => {
  it('is the gateway of this checkout with its key, and one on this machine where there is none', () => {
    expect(readSettings({}, merge)).toEqual({ gateway: beside.GATEWAY_URL, key: beside.API_KEY });
    expect(readSettings({}, (own) => own)).toEqual({ gateway: 'http://127.0.0.1:3000', key: undefined });
  });

  it('is whom the environment names, with the key that it names', () => {
    expect(readSettings({ GATEWAY_URL: 'https://carbon.example/', API_KEY: KEY }, merge)).toEqual({
      gateway: 'https://carbon.example',
      key: KEY,
    });
  });

  it('is never told the key of another gateway', () => {
    expect(readSettings({ GATEWAY_URL: 'https://elsewhere.example' }, merge).key).toBeUndefined();
  });

  it('may get the key out of a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cli-test-'));
    const file = join(folder, 'key');
    writeFileSync(file, `${KEY}\n`);
    expect(readSettings({ API_KEY_FILE: file }, (own) => own).key).toBe(KEY);
    rmSync(folder, { recursive: true });
  });

  it.each([{ API_KEY: `${KEY} ` }, { API_KEY: 'ké' }])('is told without the key when that is none: %j', (own) => {
    const reading = () => readSettings(own, (environment) => environment);
    expect(reading).toThrow('API_KEY must be a key');
    expect(reading).not.toThrow(own.API_KEY);
  });
});
