import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { EMPTY_KEY_FILE, KeyRing, writeKeyFile } from '@carbon/keys';
import { TestKeys } from './test-command.js';

const SECRET = 'Zx9'.repeat(16);

let keys: TestKeys;
beforeEach(() => {
  keys = new TestKeys();
});
afterEach(() => keys.remove());

describe('keys create', () => {
  it('shows the key once, as JSON into a pipe, and keeps its hash alone, in a file only its owner may read', async () => {
    const { code, lines, err } = await keys.run(
      'create',
      '--account',
      'acme',
      '--scopes',
      'assets:read',
      '--expires',
      '90d',
    );
    expect(code).toBe(0);
    const [{ key, id, ...rest } = {}] = lines;
    expect(rest).toMatchObject({
      account: 'acme',
      name: 'acme',
      scopes: ['assets:read'],
      plan: 'default',
      state: 'live',
    });
    expect(err).toMatch(/shown this once/);
    expect(new KeyRing(keys.file).holderOf(String(key), Date.now())?.id).toBe(id);
    expect(readFileSync(keys.path, 'utf8')).not.toContain(String(key).slice(-49));
    expect(statSync(keys.path).mode & 0o777).toBe(0o600);
    const listed = await keys.run('list');
    expect(listed.out + listed.err).not.toContain(String(key).slice(-49));
    expect(listed.lines).toEqual([{ id, ...rest }]);
  });

  it('prints nothing but the key when told, and a table for people', async () => {
    const { out } = await keys.run('create', '--account', 'acme', '--raw');
    expect(out).toMatch(/^cl_live_\w{12}_\w{49}\n$/);
    expect((await keys.run('list', '--no-json')).out).toMatch(
      /^ID +STATE +ACCOUNT +NAME .*\n\w{12} +live +acme +acme /,
    );
  });

  it('says how a gateway comes to know of a file that it has made, and that one which runs knows of a change', async () => {
    const [first, second] = [
      await keys.run('create', '--account', 'one'),
      await keys.run('create', '--account', 'two'),
    ];
    expect(first.err).toContain(`start the gateway with API_KEYS_FILE=${keys.path}\n`);
    expect(first.err).not.toContain('running gateway');
    expect(second.err).toContain('A running gateway knows within 5 s.');
    expect(second.err).not.toContain('API_KEYS_FILE');
  });

  it('loses none of many that are made at once, in a file that is made by the first', async () => {
    const accounts = Array.from({ length: 12 }, (_, n) => `account-${n}`);
    const made = await Promise.all(accounts.map((account) => keys.run('create', '--account', account)));
    expect(made.map(({ code }) => code)).toEqual(accounts.map(() => 0));
    expect(keys.file.keys.map(({ account }) => account).sort()).toEqual(accounts.sort());
    expect(readdirSync(dirname(keys.path))).toEqual(['keys.json']);
  });

  it('leaves the file to whom it belongs, and as readable as it was', async () => {
    mkdirSync(dirname(keys.path));
    writeFileSync(keys.path, '{"version": 1, "keys": []}');
    const { uid, gid } = statSync(keys.path);
    // Only root may give a file away.
    const owner = uid === 0 ? { uid: 1000, gid: 1001 } : { uid, gid };
    chownSync(keys.path, owner.uid, owner.gid);
    chmodSync(keys.path, 0o640);
    expect((await keys.run('create', '--account', 'acme')).code).toBe(0);
    const after = statSync(keys.path);
    expect({ uid: after.uid, gid: after.gid, mode: after.mode & 0o777 }).toEqual({ ...owner, mode: 0o640 });
  });

  it('refuses a third live key, changing nothing', async () => {
    for (const code of [0, 0, 1]) expect((await keys.run('create', '--account', 'acme')).code).toBe(code);
    expect(keys.file.keys).toHaveLength(2);
  });

  it('lets a link be a link, and makes nothing of one that leads nowhere', async () => {
    mkdirSync(dirname(keys.path));
    const real = join(keys.folder, 'real.json');
    symlinkSync(real, keys.path);
    const { code, err } = await keys.run('create', '--account', 'acme');
    expect([code, err]).toEqual([1, expect.stringContaining('is a link that leads nowhere')]);
    expect([readlinkSync(keys.path), existsSync(real)]).toEqual([real, false]);
    writeFileSync(real, '{"version": 1, "keys": []}');
    expect((await keys.run('create', '--account', 'acme')).code).toBe(0);
    expect(JSON.parse(readFileSync(real, 'utf8')).keys).toHaveLength(1);
  });
});

describe('keys list', () => {
  it('says what it had no room for, and has room for when a key ends', async () => {
    const plan = 'as-often-as-was-agreed-in-spring';
    await keys.run('plan', plan, '--per-second', '50');
    await keys.run('create', '--account', 'acme', '--plan', plan, '--expires', '90d');
    const { out, err } = await keys.run('list', '--no-json');
    expect(out).toMatch(/^ID .* ENDS\n/);
    expect(err).toBe('No room for PLAN, CREATED: --json has everything.\n');
  });
});

describe('keys rotate, revoke, plan', () => {
  it('rotate, revoke by id or by the key itself, and set plans', async () => {
    const old = (await keys.run('create', '--account', 'acme')).lines[0];
    const { lines, err } = await keys.run('rotate', String(old?.id), '--overlap', '1h');
    expect(err).toContain(`The key ${old?.id} is taken until `);
    expect((await keys.run('revoke', String(lines[0]?.key))).code).toBe(0);
    const listed = (await keys.run('list', '--account', 'acme')).lines;
    expect(listed.map(({ id, state }) => [id, state])).toEqual([
      [old?.id, 'live'],
      [lines[0]?.id, 'revoked'],
    ]);
    expect((await keys.run('plan', 'gold', '--per-second', '50')).code).toBe(0);
    expect((await keys.run('plans')).lines).toContainEqual({ name: 'gold', limit: { perSecond: 50, burst: 100 } });
  });
});

describe('keys that cannot do what they are told', () => {
  it.each([
    [['create']],
    [['create', '--account', 'Acme']],
    [['create', '--account', 'acme', '--scopes', 'offsets']],
    [['create', '--account', 'acme', '--expires', '2020-01-01']],
    [['revoke', `cl_live_z5k8q0v2m4rn_${SECRET}-`]],
    [['create', '--account', 'acme', `--key=cl_live_z5k8q0v2m4rn_${SECRET}`]],
    [['rotate', '0123456789ab', '--overlap', '0s']],
    [['plan', 'gold']],
    [['plan', 'gold', '--per-second', '10', '--burst', '5']],
    [['frobnicate']],
  ])('end with 2 for %j', async (args) => {
    const { code, out, err } = await keys.run(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).not.toContain(SECRET);
    expect(err).not.toContain('    at ');
  });

  it('end with 1 where there is no file, or it is broken, and say what is wrong in it', async () => {
    expect(await keys.run('list')).toMatchObject({ code: 1, err: expect.stringContaining('there is no key file at') });
    mkdirSync(dirname(keys.path));
    writeFileSync(keys.path, '{"version": 1, "keys": [{}]}');
    const { code, err } = await keys.run('create', '--account', 'acme');
    expect([code, err]).toEqual([1, expect.stringContaining('keys[0].sha256 is missing')]);
    expect(readFileSync(keys.path, 'utf8')).toBe('{"version": 1, "keys": [{}]}');
  });

  it('end with 1 where there is no room for the change, and leave the file as it was', async () => {
    mkdirSync(dirname(keys.path));
    const plan = { perSecond: 1, burst: 1 };
    const plans = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`plan-${n}`, plan]));
    const before = writeKeyFile({ ...EMPTY_KEY_FILE, plans });
    writeFileSync(keys.path, before);
    const { code, out, err } = await keys.runWithoutRoom('create', '--account', 'acme');
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: expect.stringContaining('there is no room for it') });
    expect(readFileSync(keys.path, 'utf8')).toBe(before);
    expect(readdirSync(dirname(keys.path))).toEqual(['keys.json']);
  });

  it('end with 1 where the system makes no folder for the file, and say so', async () => {
    const { code, err } = await keys.run('create', '--account', 'acme', '--file', '/proc/nope/x.json');
    expect([code, err]).toEqual([1, expect.stringMatching(/^\/proc\/nope\/x\.json cannot be changed: E[A-Z]+\n$/)]);
  });

  it('end with 75 while somebody else changes the file, by whatever name, and say who', async () => {
    mkdirSync(join(keys.folder, 'real'));
    symlinkSync('real', dirname(keys.path));
    writeFileSync(join(keys.folder, 'real', 'keys.json.lock'), '4711\n');
    const { code, err } = await keys.run('create', '--account', 'acme');
    expect([code, err]).toEqual([75, expect.stringContaining('is being changed by process 4711')]);
  });

  it('help, and end with 0', async () => {
    const { code, out } = await keys.run('--help');
    expect(code).toBe(0);
    for (const word of ['create', 'list', 'revoke', 'rotate', 'plans', 'API_KEYS_FILE']) expect(out).toContain(word);
  });
});
