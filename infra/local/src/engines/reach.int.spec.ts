import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownedFolder, reachableProgram, standInFor } from './reach.js';
import { canReach, engineUser } from './run-as.js';

const user = engineUser();
const asRoot = user === undefined ? it.skip : it;
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

  asRoot('lies in a stand-in, the same each time, when a parent is closed to the engine’s user', () => {
    chmodSync(dir, 0o700);
    const folder = ownedFolder(dir, 'postgres', user);
    expect(folder).toBe(join(standInFor(dir), 'postgres'));
    expect(canReach(user, folder)).toBe(true);
    writeFileSync(join(folder, 'kept'), 'yes');
    expect(readFileSync(join(ownedFolder(dir, 'postgres', user), 'kept'), 'utf8')).toBe('yes');
  });

  asRoot('is refused when somebody else has made the stand-in', () => {
    chmodSync(dir, 0o700);
    mkdirSync(standInFor(dir));
    chmodSync(standInFor(dir), 0o777);
    expect(() => ownedFolder(dir, 'postgres', user)).toThrow('should be this user’s own folder');
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

  asRoot('are copied, and made fit to be run, where they are out of reach', async () => {
    const copy = await reachableProgram(program(), 'bin/run', user);
    expect(copy).toBe(join(standInFor(join(dir, 'engine')), 'engine'));
    expect(canReach(user, join(copy, 'bin', 'run'))).toBe(true);
    expect(existsSync(`${copy}.new`)).toBe(false);
  });
});
