import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@carbon/testing';
import { startGateway, type TestGateway } from '../testing/gateway.js';
import { keyFileText, type TestKey, TestKeyFile, testKey } from '../testing/keys.js';
import { KeyFileWatcher } from './key-file-watcher.js';

/** The documented reload time. */
const TIMEOUT_MS = 5_000;

describe('the start with a key file', () => {
  const file = new TestKeyFile();
  writeFileSync(file.path, '{"version": 1, "keys": [');

  it.each([
    ['is missing', `${file.path}.not`, 'there is no such file; `npm run keys -- create` creates one'],
    ['is a folder', file.folder, 'it is not a file'],
    ['is cut', file.path, 'the file, which ends too soon, is not JSON'],
  ])('is refused when it %s', (_, path, detail) => {
    expect(() => new KeyFileWatcher(path)).toThrow(
      expect.objectContaining({ issues: [{ name: 'API_KEYS_FILE', detail: `names ${path}: ${detail}` }] }),
    );
  });
});

describe('a key file that changes', () => {
  const [old, fresh] = [testKey('acme'), testKey('acme')];
  const ADMITTED = 400;
  const file = new TestKeyFile();
  let gateway: TestGateway;

  const statusOf = async ({ headers }: TestKey) =>
    (await gateway.send({ path: '/v1/offsets?id=none', headers })).status;
  const becomes = (ofFresh: number, ofOld: number) =>
    eventually(async () => expect([await statusOf(fresh), await statusOf(old)]).toEqual([ofFresh, ofOld]), {
      within: TIMEOUT_MS,
    });
  const current = async () =>
    /carbon_gateway_key_file_last_reload_successful (\d)/.exec(
      (await gateway.send({ path: '/metrics' })).body.toString(),
    )?.[1];

  beforeEach(async () => {
    file.replace([old]);
    gateway = await startGateway({ API_KEYS_FILE: file.path });
    expect([await statusOf(fresh), await statusOf(old)]).toEqual([401, ADMITTED]);
  });
  afterEach(() => gateway.close());

  it('is reloaded within 5 s after a rename: an added key, a revoked key', async () => {
    file.replace([fresh, old]);
    await becomes(ADMITTED, ADMITTED);
    file.replace([fresh, { ...old, entry: { ...old.entry, revokedAt: new Date().toISOString() } }]);
    await becomes(ADMITTED, 401);
  });

  it('is reloaded within 5 s after a write, also with one key too many', async () => {
    const expiring = testKey('acme', { expiresAt: new Date(Date.now() + 60_000).toISOString() });
    writeFileSync(file.path, keyFileText([old, expiring, fresh]));
    await becomes(ADMITTED, ADMITTED);
    const other = testKey('other', { expiresAt: new Date(Date.now() + 6 * 86_400_000).toISOString() });
    writeFileSync(file.path, keyFileText([old, expiring, fresh, other]));
    await eventually(async () => {
      const { body } = await gateway.send({ path: '/metrics' });
      expect(body.toString()).toContain('carbon_gateway_api_keys_expiring 1\n');
    });
    expect(await current()).toBe('1');
  });

  it('keeps the last valid keys when it is deleted, truncated or invalid, reports it, and recovers', async () => {
    const changes: readonly [string, () => void][] = [
      ['0', () => rmSync(file.path)],
      ['1', () => file.replace([old])],
      ['0', () => truncateSync(file.path, 10)],
      ['0', () => writeFileSync(file.path, keyFileText([old, old]))],
    ];
    for (const [isCurrent, change] of changes) {
      change();
      await eventually(async () => expect(await current()).toBe(isCurrent), { within: TIMEOUT_MS });
      expect(await statusOf(old)).toBe(ADMITTED);
    }
    file.replace([fresh]);
    await becomes(ADMITTED, 401);
    expect(await current()).toBe('1');
  });
});

describe('a key file of Kubernetes', () => {
  const [old, fresh] = [testKey('acme'), testKey('acme')];
  const { folder } = new TestKeyFile();
  const version = (name: string, key: TestKey) => {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'mounted.json'), keyFileText([key]));
    symlinkSync(name, join(folder, '..data.new'));
    renameSync(join(folder, '..data.new'), join(folder, '..data'));
  };

  it('is reloaded within 5 s after its folder’s link changes', async () => {
    version('..one', old);
    const mounted = join(folder, 'mounted.json');
    symlinkSync(join('..data', 'mounted.json'), mounted);
    const watched = new KeyFileWatcher(mounted);
    const holderOf = ({ text }: TestKey) => watched.keys.holderOf(text, Date.now())?.id;
    watched.onApplicationBootstrap();
    expect(holderOf(old)).toBe(old.entry.id);
    version('..two', fresh);
    rmSync(join(folder, '..one'), { recursive: true });
    await eventually(() => expect(holderOf(fresh)).toBe(fresh.entry.id), { within: TIMEOUT_MS });
    expect(holderOf(old)).toBeUndefined();
    watched.onApplicationShutdown();
  });
});
