import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownedFolder, reachableProgram, standInFor } from './reach.js';
import { canReach, engineUser } from './run-as.js';

const user = engineUser();
// Run as root, the engines' user is another one; run by anybody else, it is the same, and nothing is out of reach.
const asRoot = user !== undefined;
let dir = '';

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'reach-'));
});
afterEach(() => {
  for (const folder of [dir, standInFor(dir), standInFor(join(dir, 'engine'))])
    rmSync(folder, { recursive: true, force: true });
});

describe('an engine’s own folder', () => {
  it('lies in the system’s folder when its user can get there, closed to others', () => {
    chmodSync(dir, 0o711);
    const folder = ownedFolder(dir, 'postgres', user);
    expect(folder).toBe(join(dir, 'data', 'postgres'));
    if (user !== undefined) expect(statSync(folder)).toMatchObject({ uid: user.uid, mode: 0o40700 });
  });

  it('lies in a stand-in, the same each time, when a parent is closed to the engine’s user', () => {
    chmodSync(dir, 0o700);
    const folder = ownedFolder(dir, 'postgres', user);
    expect(folder).toBe(asRoot ? join(standInFor(dir), 'postgres') : join(dir, 'data', 'postgres'));
    expect(canReach(user, folder)).toBe(true);
    writeFileSync(join(folder, 'kept'), 'yes');
    expect(readFileSync(join(ownedFolder(dir, 'postgres', user), 'kept'), 'utf8')).toBe('yes');
  });

  it('is never in a stand-in that somebody else may write to', () => {
    chmodSync(dir, 0o700);
    mkdirSync(standInFor(dir));
    chmodSync(standInFor(dir), 0o777);
    const make = () => ownedFolder(dir, 'postgres', user);
    if (asRoot) expect(make).toThrow('should be this user’s own folder');
    else expect(make()).toBe(join(dir, 'data', 'postgres'));
  });
});

describe('an engine’s programs', () => {
  const program = () => {
    const folder = join(dir, 'engine');
    mkdirSync(join(folder, 'bin'), { recursive: true });
    writeFileSync(join(folder, 'bin', 'run'), '#!/bin/sh\n', { mode: 0o700 });
    return folder;
  };

  it('are used where they are when the engine’s user can run them', async () => {
    const folder = program();
    chmodSync(dir, 0o711);
    chmodSync(join(folder, 'bin', 'run'), 0o755);
    expect(await reachableProgram(folder, 'bin/run', user)).toBe(folder);
  });

  it('are copied, and made fit to be run, where they are out of reach', async () => {
    const copy = await reachableProgram(program(), 'bin/run', user);
    expect(copy).toBe(asRoot ? join(standInFor(join(dir, 'engine')), 'engine') : join(dir, 'engine'));
    expect(canReach(user, join(copy, 'bin', 'run'))).toBe(true);
    expect(existsSync(`${copy}.new`)).toBe(false);
  });
});
