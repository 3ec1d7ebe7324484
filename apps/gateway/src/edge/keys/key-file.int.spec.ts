import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '@carbon/config';
import { eventually } from '@carbon/testing';
import { startReader, type TestGateway } from '../../test-gateway.js';
import { type TestKey, TestKeyFile, testKey, textOf } from '../../test-keys.js';
import { KeyFileInForce } from './key-file.js';

/** What is promised. */
const WITHIN_MS = 5_000;

let file: TestKeyFile;
afterEach(() => file.remove());

function faultsOf(path: string): string[] {
  try {
    new KeyFileInForce(path);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map(({ name, detail }) => `${name} ${detail.replace(file.folder, '')}`);
  }
}

describe('a start with a key file', () => {
  beforeEach(() => {
    file = new TestKeyFile();
  });

  it('is refused when the file is missing, or is none', () => {
    expect(faultsOf(`${file.path}.not`)).toEqual([
      'API_KEYS_FILE names /keys.json.not: there is no such file; `npm run keys -- create` makes one',
    ]);
    expect(faultsOf(file.folder)).toEqual(['API_KEYS_FILE names : it is no file']);
  });

  it('is refused when the file is broken, with every fault at once and its place', () => {
    writeFileSync(file.path, '{"version": 1, "keys": [');
    expect(faultsOf(file.path)).toEqual(['API_KEYS_FILE names /keys.json: the file, which ends too soon, is not JSON']);
    writeFileSync(file.path, '{"version": 1, "plan": {}, "keys": [{}]}');
    const faults = faultsOf(file.path);
    expect(faults).toContain('API_KEYS_FILE names /keys.json: keys[0].sha256 is missing');
    expect(faults).toContain('API_KEYS_FILE names /keys.json: the file has what is not known: plan');
    expect(faults.length).toBeGreaterThan(5);
  });
});

describe('a key file that changes', () => {
  const old = testKey('acme');
  const fresh = testKey('acme');
  let gateway: TestGateway;

  const statusOf = async ({ headers }: TestKey) => (await gateway.ask({ path: '/v1/offsets?id=none', headers })).status;
  const ADMITTED = 400;
  const inForce = (fresh_: number, old_: number) =>
    eventually(async () => expect([await statusOf(fresh), await statusOf(old)]).toEqual([fresh_, old_]), {
      within: WITHIN_MS,
    });
  const current = async () =>
    /carbon_gateway_key_file_current (\d)/.exec((await gateway.ask({ path: '/metrics' })).body.toString())?.[1];

  beforeEach(async () => {
    file = new TestKeyFile(old);
    gateway = await startReader({ API_KEYS_FILE: file.path });
    expect([await statusOf(fresh), await statusOf(old)]).toEqual([401, ADMITTED]);
  });
  afterEach(() => gateway.close());

  it('is in force within 5 s, by a rename over it: a key more, and one revoked', async () => {
    file.hold(fresh, old);
    await inForce(ADMITTED, ADMITTED);
    file.hold(fresh, { ...old, entry: { ...old.entry, revokedAt: new Date().toISOString() } });
    await inForce(ADMITTED, 401);
  });

  it('is in force also with a key too many: the clock of who made it may be ahead', async () => {
    file.hold(old, testKey('acme', { expiresAt: new Date(Date.now() + 60_000).toISOString() }), fresh);
    await inForce(ADMITTED, ADMITTED);
    expect(await current()).toBe('1');
  });

  it('is in force within 5 s, by a write into it', async () => {
    writeFileSync(file.path, textOf(fresh));
    await inForce(ADMITTED, 401);
  });

  it('leaves the last good keys in force when it goes, is cut or breaks; says so, and recovers', async () => {
    const breaks = [
      () => rmSync(file.path),
      () => file.hold(old),
      () => truncateSync(file.path, 10),
      () => writeFileSync(file.path, textOf(old, old)),
    ];
    for (const [nth, breakIt] of breaks.entries()) {
      breakIt();
      await eventually(async () => expect(await current()).toBe(nth === 1 ? '1' : '0'), { within: WITHIN_MS });
      expect(await statusOf(old)).toBe(ADMITTED);
    }
    file.hold(fresh);
    await inForce(ADMITTED, 401);
    expect(await current()).toBe('1');
  });
});

describe('a key file of Kubernetes', () => {
  const [old, fresh] = [testKey('acme'), testKey('acme')];
  const version = (name: string, key: TestKey) => {
    mkdirSync(join(file.folder, name));
    writeFileSync(join(file.folder, name, 'mounted.json'), textOf(key));
    symlinkSync(name, join(file.folder, '..data.new'));
    renameSync(join(file.folder, '..data.new'), join(file.folder, '..data'));
  };

  it('is in force within 5 s of the change of the link to its folder', async () => {
    file = new TestKeyFile();
    version('..one', old);
    const mounted = join(file.folder, 'mounted.json');
    symlinkSync(join('..data', 'mounted.json'), mounted);
    const watched = new KeyFileInForce(mounted);
    watched.onApplicationBootstrap();
    expect(watched.keys.holderOf(old.text, Date.now())?.id).toBe(old.entry.id);
    version('..two', fresh);
    rmSync(join(file.folder, '..one'), { recursive: true });
    await eventually(() => expect(watched.keys.holderOf(fresh.text, Date.now())?.id).toBe(fresh.entry.id), {
      within: WITHIN_MS,
    });
    expect(watched.keys.holderOf(old.text, Date.now())).toBeUndefined();
    watched.onApplicationShutdown();
  });
});
