import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { canReach, engineUser, fallbackFolder, ownedFolder, reachableProgram } from './engines/engine-user.js';
import { findJdk, NoJdk } from './engines/jdk.js';
import { cutLargeLogs, rotateLogs } from './log-rotation.js';
import { keptSecrets, writeEnvironmentFile } from './system/addresses.js';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'local-files-'));
});
afterEach(() => {
  for (const folder of [dir, fallbackFolder(dir), fallbackFolder(join(dir, 'engine'))])
    rmSync(folder, { recursive: true, force: true });
});
const read = (name: string) => readFileSync(join(dir, name), 'utf8');

describe('the secrets of a local system', () => {
  it('are generated once, all different, of 256 bits each, in files that only their owner may read', () => {
    const secrets = keptSecrets(dir);
    expect(keptSecrets(dir)).toEqual(secrets);
    expect(new Set(Object.values(secrets)).size).toBe(5);
    for (const secret of Object.values(secrets)) expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    const environment = writeEnvironmentFile(dir, { A: 'b' });
    for (const file of [join(dir, 'secrets.json'), environment]) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('are completed with those that an older checkout did not have, but not regenerated when the file is damaged', () => {
    const { INTERNAL_SECRETS: _, ...older } = keptSecrets(dir);
    writeFileSync(join(dir, 'secrets.json'), JSON.stringify(older));
    const secrets = keptSecrets(dir);
    expect(secrets).toEqual({ ...older, INTERNAL_SECRETS: expect.stringMatching(/^[\w-]{43}$/) });
    expect(keptSecrets(dir)).toEqual(secrets);
    writeFileSync(join(dir, 'secrets.json'), '{"ID_SECRETS": "sho');
    expect(() => keptSecrets(dir)).toThrow('does not contain the expected secrets');
  });

  it('are read from the environment file as they were written', () => {
    const url = 'postgresql://carbon:p%23@127.0.0.1:1/carbon';
    const quotes = { DOUBLE: 'a"b', SINGLE: "it's", BOTH: `'a' "b"`, BACKTICK: '`a', BACKSLASH: 'a\\n #"' };
    const values = { PLAIN: 'abc-_=', URL: url, HASH: 'a # b', EMPTY: '', ...quotes };
    expect(parseEnv(readFileSync(writeEnvironmentFile(dir, values), 'utf8'))).toEqual(values);
  });
});

describe('the logs', () => {
  it('of the last run are renamed and replace those of the run before it', () => {
    writeFileSync(join(dir, 'kafka.previous.log'), 'long ago');
    writeFileSync(join(dir, 'kafka.log'), 'last run');
    rotateLogs(dir).stop();
    expect(readdirSync(dir)).toEqual(['kafka.previous.log']);
    expect(read('kafka.previous.log')).toBe('last run');
  });

  it('that have grown too large are copied and emptied, but no others', () => {
    writeFileSync(join(dir, 'kafka.log'), 'x'.repeat(101));
    writeFileSync(join(dir, 'postgres.log'), 'x'.repeat(100));
    cutLargeLogs(dir, 100);
    const sizes = ['kafka.log', 'kafka.previous.log', 'postgres.log'].map((name) => read(name).length);
    expect(sizes).toEqual([0, 101, 100]);
  });
});

describe('the search for a JDK', () => {
  /** Creates a folder that looks like a JDK of that version. */
  const jdk = (version: string) => {
    const home = join(dir, `jdk-${version}`);
    mkdirSync(join(home, 'bin'), { recursive: true });
    writeFileSync(join(home, 'bin', 'java'), '');
    writeFileSync(join(home, 'release'), `IMPLEMENTOR="Somebody"\nJAVA_VERSION="${version}"\n`);
    return home;
  };

  it('prefers OPENSEARCH_JAVA_HOME to JAVA_HOME to PATH, and skips what is too old or not accessible', () => {
    const [old8, j17, j21, j25] = [jdk('1.8.0_402'), jdk('17.0.15'), jdk('21'), jdk('25.0.1')];
    const find = (...given: Parameters<typeof findJdk>) => findJdk(...given);
    const named = { OPENSEARCH_JAVA_HOME: j21, JAVA_HOME: j25, PATH: '' };
    expect(find('OpenSearch', 21, named)).toEqual({ home: j21, version: 21, foundBy: 'OPENSEARCH_JAVA_HOME' });
    const old = { OPENSEARCH_JAVA_HOME: old8, JAVA_HOME: j17, PATH: `${old8}/bin:${j25}/bin` };
    expect(find('OpenSearch', 21, old)).toEqual({ home: j25, version: 25, foundBy: 'PATH' });
    const onPath = { JAVA_HOME: j25, PATH: join(j21, 'bin') };
    expect(find('OpenSearch', 21, onPath, (home) => home !== j25).home).toBe(j21);
    // Systems put links on PATH.
    mkdirSync(join(dir, 'bin'));
    symlinkSync(join(j25, 'bin', 'java'), join(dir, 'bin', 'java'));
    expect(find('Kafka', 17, { PATH: join(dir, 'bin') }).home).toBe(j25);
  });

  it('reports what it found and what to do when none is new enough', () => {
    const settings = { JAVA_HOME: jdk('1.8.0_402'), PATH: join(jdk('17.0.15'), 'bin') };
    const search = () => findJdk('OpenSearch', 99, settings);
    expect(search).toThrow(NoJdk);
    expect(search).toThrow(/needs Java 99 or newer\. Found only Java 8 in .* \(JAVA_HOME\); Java 17 in .* \(PATH\)/);
    expect(search).toThrow('set OPENSEARCH_JAVA_HOME or JAVA_HOME to the home of one');
  });
});

describe('a folder of the engine’s user', () => {
  // As root, the engines' user is another user; otherwise it is the same, and every folder is accessible.
  const user = engineUser();
  const asRoot = user !== undefined;

  it('is in the system’s folder, and closed to others', () => {
    chmodSync(dir, 0o711);
    const folder = ownedFolder(dir, 'postgres', user);
    expect(folder).toBe(join(dir, 'data', 'postgres'));
    if (user !== undefined) expect(statSync(folder)).toMatchObject({ uid: user.uid, mode: 0o40700 });
  });

  it('is always the same fallback folder when a parent folder is not accessible', () => {
    chmodSync(dir, 0o700);
    const folder = ownedFolder(dir, 'postgres', user);
    expect(folder).toBe(asRoot ? join(fallbackFolder(dir), 'postgres') : join(dir, 'data', 'postgres'));
    expect(canReach(user, folder)).toBe(true);
    writeFileSync(join(folder, 'kept'), 'yes');
    for (const mode of [0o700, 0o711]) {
      chmodSync(dir, mode);
      expect(readFileSync(join(ownedFolder(dir, 'postgres', user), 'kept'), 'utf8')).toBe('yes');
    }
  });

  it('keeps the data of an engine that can no longer reach it, and that of another user, with an error', () => {
    if (!asRoot) return;
    chmodSync(dir, 0o711);
    const data = join(ownedFolder(dir, 'postgres', user), 'data');
    writeFileSync(data, 'rows');
    chmodSync(dir, 0o700);
    expect(() => ownedFolder(dir, 'postgres', user)).toThrow('cannot reach its data in');
    chmodSync(dir, 0o711);
    chownSync(dirname(data), 12_345, 12_345);
    expect(() => ownedFolder(dir, 'postgres', user)).toThrow('the user with the ID 12345 owns');
    expect(readFileSync(data, 'utf8')).toBe('rows');
  });

  it('is never a fallback folder that another user may write to', () => {
    chmodSync(dir, 0o700);
    mkdirSync(fallbackFolder(dir));
    chmodSync(fallbackFolder(dir), 0o777);
    const make = () => ownedFolder(dir, 'postgres', user);
    if (asRoot) expect(make).toThrow('must belong to this user');
    else expect(make()).toBe(join(dir, 'data', 'postgres'));
  });

  /** Creates a program that only its owner can run. */
  const program = () => {
    const folder = join(dir, 'engine');
    const file = join(folder, 'bin', 'run');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '#!/bin/sh\n', { mode: 0o700 });
    return { folder, file, reach: () => reachableProgram(folder, 'bin/run', user) };
  };

  it('is the program’s own folder if the program can be run there, else one copy that can be run', async () => {
    const { folder, file, reach } = program();
    const [copy, same] = await Promise.all([reach(), reach()]);
    expect([dirname(copy), same]).toEqual([asRoot ? fallbackFolder(folder) : dir, copy]);
    expect(canReach(user, join(copy, 'bin', 'run'))).toBe(true);
    expect(readdirSync(dirname(copy))).toEqual([basename(copy)]);
    chmodSync(dir, 0o711);
    chmodSync(file, 0o755);
    expect(await reach()).toBe(folder);
  });

  it('is another copy once the program has been replaced', async () => {
    const { file, reach } = program();
    const before = await reach();
    utimesSync(file, 1, 1);
    expect((await reach()) === before).toBe(!asRoot);
  });
});
