import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LockHeld, lockHolder, takeLock, withLock } from './lock.js';

const dir = mkdtempSync(join(tmpdir(), 'lock-'));
const file = join(dir, 'lock');
afterAll(() => rmSync(dir, { recursive: true, force: true }));
afterEach(() => rmSync(file, { force: true }));

const stale = () =>
  writeFileSync(
    file,
    JSON.stringify({ pid: process.pid, startedAt: 'long ago', since: new Date().toISOString(), says: '' }),
  );

describe('a lock', () => {
  it('tells a second taker who holds it and what that one says', () => {
    const giveBack = takeLock(file, 'http://here');
    expect(() => takeLock(file)).toThrow(LockHeld);
    expect(lockHolder(file)).toMatchObject({ pid: process.pid, says: 'http://here' });
    giveBack();
    expect(lockHolder(file)).toBeUndefined();
  });

  it('is taken over from a process that is no more, even when another one has its pid now', () => {
    stale();
    takeLock(file)();
    expect(existsSync(file)).toBe(false);
  });

  it('is taken by one only of many that find it stale at a time', async () => {
    stale();
    const door = new URL('../../dist/processes/lock.js', import.meta.url).href;
    const script = `const { takeLock } = await import(${JSON.stringify(door)});
      try { takeLock(${JSON.stringify(file)}); console.log('mine'); } catch { console.log('held'); }
      process.stdin.resume();`;
    const contenders = [1, 2, 3, 4, 5, 6].map(() => spawn(process.execPath, ['--input-type=module', '-e', script]));
    const said = await Promise.all(
      contenders.map(async ({ stdout }) => String((await once(stdout, 'data'))[0]).trim()),
    );
    for (const { stdin } of contenders) stdin.end();
    expect(said.filter((word) => word === 'mine')).toHaveLength(1);
  });

  it('makes others wait for work done under it', async () => {
    const order: string[] = [];
    const work = (name: string) => async () => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 50));
      order.push(`${name} ends`);
    };
    await Promise.all([withLock(file, 5_000, work('one')), withLock(file, 5_000, work('two'))]);
    expect(order).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
  });
});
