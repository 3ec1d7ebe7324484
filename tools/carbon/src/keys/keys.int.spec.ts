import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EMPTY_KEY_FILE, KeyRing, readKeyFile, writeKeyFile } from '@carbon/auth';
import { runInProcess, runToEnd } from '@carbon/testing';
import { carbonProgram } from '../program.js';

const CLI = fileURLToPath(new URL('../../dist/carbon.js', import.meta.url));
const SECRET = 'Zx9'.repeat(16);
const EMPTY = '{"version": 1, "keys": []}';

/** The number of bytes that `ulimit -f` allows: shells count in 512 or 1,024 bytes. */
async function limitBytes(blocks: number): Promise<number> {
  const file = join(folder, 'limit');
  await spawned('/bin/sh', '-c', `ulimit -f ${blocks} && head -c 1000000 /dev/zero >"$0"`, file);
  return statSync(file).size;
}

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keys-command-'));
  path = join(folder, 'inner', 'keys.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs the command within this process; `lines` is its output, a line of JSON each. */
async function keys(...args: readonly string[]) {
  const ran = await runInProcess(carbonProgram, ['keys', ...args], { environment: { API_KEYS_FILE: path } });
  const lines = () => ran.out.split('\n').filter((line) => line !== '');
  return { ...ran, lines: () => lines().map((line): Record<string, unknown> => JSON.parse(line)) };
}

/** Runs the command in a separate process. */
const spawned = (command: string, ...args: readonly string[]) =>
  runToEnd(command, args, { environment: { API_KEYS_FILE: path }, cwd: folder });
/** The entries of the key file. */
const entries = () => readKeyFile(readFileSync(path, 'utf8')).keys;
/** Creates the key file, by default without keys. */
const writeKeys = (text = EMPTY) => {
  mkdirSync(dirname(path));
  writeFileSync(path, text);
};

describe('keys create', () => {
  it('shows the key once, keeps only its hash in a file for its owner, and refuses a third live key', async () => {
    const made = await keys('create', '--account', 'acme', '--scopes', 'assets:read', '--expires', '90d');
    expect(made.code).toBe(0);
    const [{ key, id, ...rest } = {}] = made.lines();
    const facts = { account: 'acme', name: 'acme', scopes: ['assets:read'], plan: 'default', state: 'live' };
    expect(rest).toMatchObject(facts);
    expect(made.err).toMatch(/shown only this once/);
    expect(made.err).toContain(`start the gateway with API_KEYS_FILE=${path}\n`);
    expect(made.err).not.toContain('running gateway');
    const text = readFileSync(path, 'utf8');
    expect(new KeyRing(readKeyFile(text)).holderOf(String(key), Date.now())?.id).toBe(id);
    expect(text).not.toContain(String(key).slice(-49));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await keys('list')).lines()).toEqual([{ id, ...rest }]);

    const second = await keys('create', '--account', 'acme', '--raw');
    expect(second.out).toMatch(/^cl_live_\w{12}_\w{49}\n$/);
    expect(second.err).toContain('A running gateway applies this within 5 s.');
    expect(second.err).not.toContain('API_KEYS_FILE');
    expect((await keys('create', '--account', 'acme')).code).toBe(1);
    expect(entries()).toHaveLength(2);
  });

  it('loses none of many keys that are created at once, in a file that the first one creates', async () => {
    const accounts = Array.from({ length: 4 }, (_, n) => `account-${n}`);
    const made = await Promise.all(
      accounts.map((account) => spawned(process.execPath, CLI, 'keys', 'create', '--account', account)),
    );
    expect(made.map(({ code }) => code)).toEqual(accounts.map(() => 0));
    expect(
      entries()
        .map(({ account }) => account)
        .sort(),
    ).toEqual(accounts);
    expect(readdirSync(dirname(path))).toEqual(['keys.json']);
  });

  it('keeps the owner and the mode of the file', async () => {
    writeKeys();
    const { uid, gid } = statSync(path);
    // Only root may change the owner of a file.
    const owner = uid === 0 ? { uid: 1000, gid: 1001 } : { uid, gid };
    chownSync(path, owner.uid, owner.gid);
    chmodSync(path, 0o640);
    expect((await keys('create', '--account', 'acme')).code).toBe(0);
    const after = statSync(path);
    expect({ uid: after.uid, gid: after.gid, mode: after.mode & 0o777 }).toEqual({ ...owner, mode: 0o640 });
  });

  it('keeps a link, and refuses one without a target', async () => {
    mkdirSync(dirname(path));
    const real = join(folder, 'real.json');
    symlinkSync(real, path);
    const { code, err } = await keys('create', '--account', 'acme');
    expect([code, err]).toEqual([1, expect.stringContaining('is a link without a target')]);
    expect([readlinkSync(path), existsSync(real)]).toEqual([real, false]);
    writeFileSync(real, EMPTY);
    expect((await keys('create', '--account', 'acme')).code).toBe(0);
    expect([readlinkSync(path), JSON.parse(readFileSync(real, 'utf8')).keys.length]).toEqual([real, 1]);
  });
});

describe('keys list, rotate, revoke and plan', () => {
  it('print a table, rotate, revoke by id or by the key itself, and set plans', async () => {
    const plan = 'as-often-as-was-agreed-in-spring';
    expect((await keys('plan', plan, '--per-second', '50')).code).toBe(0);
    expect((await keys('plans')).lines()).toContainEqual({ name: plan, limit: { perSecond: 50, burst: 100 } });
    const [old] = (await keys('create', '--account', 'acme', '--plan', plan, '--expires', '90d')).lines();
    const table = await keys('list', '--no-json');
    expect(table.out).toMatch(/^ID +STATE +ACCOUNT +NAME .*\n\w{12} +live +acme +acme /);
    expect(table.err).toEqual(expect.stringMatching(/^Omitted columns: .*CREATED\. --json prints every column\.\n$/));

    const rotated = await keys('rotate', String(old?.id), '--overlap', '1h');
    expect(rotated.err).toContain(`The key ${old?.id} stays valid until `);
    const [fresh] = rotated.lines();
    expect((await keys('revoke', String(fresh?.key))).code).toBe(0);
    const listed = (await keys('list', '--account', 'acme')).lines().map(({ id, state }) => [id, state]);
    expect(listed).toEqual([
      [old?.id, 'live'],
      [fresh?.id, 'revoked'],
    ]);
  });
});

describe('keys', () => {
  it('exits with 2 on a usage error, and repeats no key; with 0 for help', async () => {
    const rows: string[][] = [
      ['create'],
      ['create', '--account', 'acme', '--expires', '2020-01-01'],
      ['revoke', `cl_live_z5k8q0v2m4rn_${SECRET}-`],
      ['create', '--account', 'acme', `--key=cl_live_z5k8q0v2m4rn_${SECRET}`],
      ['plan', 'gold'],
      ['plan', 'gold', '--per-second', '10', '--burst', '5'],
      ['frobnicate'],
    ];
    const ran = await Promise.all(rows.map((args) => keys(...args)));
    expect(ran).toMatchObject(rows.map(() => ({ code: 2, out: '' })));
    for (const { err } of ran) expect(err).not.toMatch(new RegExp(`${SECRET}|^ {4}at `, 'm'));
    expect(await keys('--help')).toMatchObject({ code: 0, out: expect.stringContaining('API_KEYS_FILE') });
  });

  it('exits with 1 if the file is missing or invalid, and prints the errors', async () => {
    expect(await keys('list')).toMatchObject({ code: 1, err: expect.stringContaining('there is no key file at') });
    writeKeys('{"version": 1, "keys": [{}]}');
    const { code, err } = await keys('create', '--account', 'acme');
    expect([code, err]).toEqual([1, expect.stringContaining('keys[0].sha256 is missing')]);
    expect(readFileSync(path, 'utf8')).toBe('{"version": 1, "keys": [{}]}');
  });

  it('exits with 1 for a change that a gateway would refuse, and leaves the file unchanged', async () => {
    const [made] = (await keys('create', '--account', 'acme')).lines();
    const ahead = readFileSync(path, 'utf8').replace(/("createdAt": ")\d{4}/, '$19998');
    writeFileSync(path, ahead);
    const { code, err } = await keys('rotate', String(made?.id), '--overlap', '1m');
    expect([code, err]).toEqual([1, expect.stringMatching(/^the change would make the key file invalid: /)]);
    expect(readFileSync(path, 'utf8')).toBe(ahead);
  });

  it('exits with 1 if the disk is full, and leaves the file unchanged', async () => {
    const plan = { perSecond: 1, burst: 1 };
    const plans = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`plan-${n}`, plan]));
    const before = writeKeyFile({ ...EMPTY_KEY_FILE, plans });
    writeKeys(before);
    // No file may exceed 512 or 1,024 bytes, depending on the shell: like a disk that is nearly full.
    const limited = [
      '-c',
      'ulimit -f 1 && exec "$0" "$@"',
      process.execPath,
      CLI,
      'keys',
      'create',
      '--account',
      'acme',
    ];
    const { code, out, err } = await spawned('/bin/sh', ...limited);
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: expect.stringContaining('its disk is full') });
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(readdirSync(dirname(path))).toEqual(['keys.json']);
  });

  it('exits with 1 when the output file of the key takes only a part of it, and names the key to revoke', async () => {
    writeKeys();
    const shown = join(folder, 'shown');
    // The key file fits, and the output file has 10 bytes left.
    const script = `head -c "$1" /dev/zero >"$2" && shift && file=$1 && shift && exec "$0" "$@" >>"$file"`;
    const args = ['-c', `ulimit -f 8 && ${script}`, process.execPath, String((await limitBytes(8)) - 10), shown];
    const { code, err } = await spawned('/bin/sh', ...args, CLI, 'keys', 'create', '--account', 'acme', '--raw');
    const [{ id } = { id: '' }] = entries();
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`The key ${id} was created but not shown in full: revoke it.`),
    ]);
  });

  it('changes nothing when the successor of a rotated key cannot be shown', async () => {
    writeKeys();
    await keys('create', '--account', 'acme');
    const before = entries();
    const [{ id } = { id: '' }] = before;
    const { code, err } = await spawned(
      '/bin/sh',
      '-c',
      'exec "$0" "$@" >/dev/full',
      process.execPath,
      CLI,
      'keys',
      'rotate',
      id,
    );
    expect([code, err]).toEqual([1, expect.stringContaining(`is removed again and the key ${id} is as before.`)]);
    expect(entries()).toEqual(before);
  });

  it('exits with 1 if the folder of the file cannot be created, and says so', async () => {
    const { code, err } = await keys('create', '--account', 'acme', '--file', '/proc/nope/x.json');
    expect([code, err]).toEqual([1, expect.stringMatching(/^\/proc\/nope\/x\.json cannot be changed: E[A-Z]+\n$/)]);
  });

  it('exits with 75 while another process changes the file, under any name, and prints its process id', async () => {
    mkdirSync(join(folder, 'real'));
    symlinkSync('real', dirname(path));
    writeFileSync(join(folder, 'real', 'keys.json.lock'), '4711\n');
    const { code, err } = await keys('create', '--account', 'acme');
    expect([code, err]).toEqual([75, expect.stringContaining('is being changed by process 4711')]);
  });
});
