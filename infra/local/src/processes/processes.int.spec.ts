import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, GuardedProcess } from './guarded-process.js';
import { takeLock, withLock } from './lock.js';
import { endOrphans, identityOf, waitUntil } from './pids.js';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'processes-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A program that uses a built module like the launcher. */
const nodeWith = (module: string, script: string) => {
  const url = new URL(`../../dist/processes/${module}.js`, import.meta.url).href;
  const program = `const { GuardedProcess, takeLock } = await import(${JSON.stringify(url)}); ${script}`;
  return spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
};

const isGone = (pid: number) => waitUntil(() => identityOf(pid) === undefined, 8_000);

describe('a guarded process', () => {
  const files = () => ({ logFile: join(dir, 'child.log'), pidFile: join(dir, 'child.json') });
  /** Returns a shell line as a command that exits within a short time. */
  const shell = (line: string, stopWithinMs = 300): Command => {
    const env = { PATH: '/usr/bin:/bin' };
    return { file: '/bin/sh', args: ['-c', line], cwd: dir, env, stopSignal: 'SIGTERM', stopWithinMs };
  };
  /** Returns what the command wrote into this file, once it has. */
  const waitForFile = async (name: string) => {
    const text = () => (existsSync(join(dir, name)) ? readFileSync(join(dir, name), 'utf8').trim() : '');
    expect(await waitUntil(() => text() !== '', 5_000)).toBe(true);
    return text();
  };
  const start = (line: string, stopWithinMs?: number) => GuardedProcess.start(shell(line, stopWithinMs), files());

  it.each([
    ['with what it has started', 'sleep 600 & echo $! > pid; wait', () => {}],
    ['although it does not listen', 'echo $$ > pid; trap "" TERM; while :; do sleep 1; done', () => {}],
    ['although it is paused', 'echo $$ > pid; exec sleep 600', (pid: number) => process.kill(pid, 'SIGSTOP')],
  ])('ends when its launcher is killed with -9, %s', async (_, line, before) => {
    const started = `${JSON.stringify(shell(line))}, ${JSON.stringify(files())}`;
    const launcher = nodeWith('guarded-process', `console.log((await GuardedProcess.start(${started})).pid);`);
    const child = Number((await once(launcher.stdout, 'data'))[0]);
    const writer = Number(await waitForFile('pid'));
    before(child);
    expect([identityOf(child), identityOf(writer)]).not.toContain(undefined);
    launcher.kill('SIGKILL');
    expect(await Promise.all([isGone(child), isGone(writer)])).toEqual([true, true]);
  });

  it('ends when its guard is killed with -9', async () => {
    const guarded = await start('exec sleep 600');
    const pid = guarded.pid ?? 0;
    process.kill(JSON.parse(readFileSync(files().pidFile, 'utf8')).guard.pid, 'SIGKILL');
    expect(await guarded.ended).toEqual({ code: null, signal: 'SIGKILL' });
    expect(await isGone(pid)).toBe(true);
  });

  it('is stopped in order, and killed when that takes too long', async () => {
    const listening = await start('trap "exit 7" TERM; echo set > polite; while :; do sleep 0.05; done', 5_000);
    await waitForFile('polite');
    expect(await listening.stop()).toEqual({ code: 7, signal: null });
    const ignoresSigterm = await start('trap "" TERM; echo set > deaf; while :; do sleep 0.05; done');
    await waitForFile('deaf');
    expect(await ignoresSigterm.stop()).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('reports its exit code, keeps a log, removes its pid file, and reports why it cannot be started', async () => {
    const exited = await start('echo out; echo err >&2; exit 3');
    expect(await exited.ended).toEqual({ code: 3, signal: null });
    expect(readFileSync(files().logFile, 'utf8')).toMatch(/out\nerr\n$/);
    expect(await (await start('kill -9 $$')).ended).toEqual({ code: null, signal: 'SIGKILL' });
    expect(existsSync(files().pidFile)).toBe(false);
    const nowhere = { ...shell(''), file: '/no/such/program' };
    await expect(GuardedProcess.start(nowhere, files())).rejects.toThrow('ENOENT');
  });
});

describe('a lock', () => {
  const lock = () => join(dir, 'lock');

  it('is taken by only one of many processes that find it stale, even when another process has the pid of its holder', async () => {
    const holder = { pid: process.pid, startedAt: 'long ago', since: new Date().toISOString(), message: '' };
    writeFileSync(lock(), JSON.stringify(holder));
    const script = `try { takeLock(${JSON.stringify(lock())}); console.log('mine'); } catch { console.log('held'); }
      process.stdin.resume();`;
    const contenders = [1, 2, 3, 4].map(() => nodeWith('lock', script));
    const said = await Promise.all(contenders.map(async ({ stdout }) => String((await once(stdout, 'data'))[0])));
    for (const { stdin } of contenders) stdin.end();
    expect(said.filter((word) => word.trim() === 'mine')).toHaveLength(1);
  });

  it('is not taken away from its next holder when it is given back again', () => {
    const releaseLock = takeLock(lock());
    releaseLock();
    takeLock(lock());
    releaseLock();
    expect(existsSync(lock())).toBe(true);
  });

  it('makes other processes wait for work under it', async () => {
    const order: string[] = [];
    const work = async () => {
      order.push('begins');
      await new Promise((resolve) => setTimeout(resolve, 50));
      order.push('ends');
    };
    await Promise.all([withLock(lock(), 5_000, work), withLock(lock(), 5_000, work)]);
    expect(order).toEqual(['begins', 'ends', 'begins', 'ends']);
  });
});

describe('the cleanup at the start', () => {
  /** A process in a new group, like one whose guard was killed. */
  const leftBehind = () => {
    const identity = identityOf(spawn('/bin/sleep', ['600'], { detached: true, stdio: 'ignore' }).pid ?? 0);
    if (identity === undefined) throw new Error('it did not start');
    return identity;
  };
  const note = (content: unknown) => writeFileSync(join(dir, 'kafka.json'), JSON.stringify(content));

  it('ends the processes of an earlier launcher, and ignores a truncated pid file', async () => {
    const child = leftBehind();
    note({ guard: { pid: 999_999_999, startedAt: 'long ago' }, child });
    writeFileSync(join(dir, 'torn.json'), '{"guard":');
    expect(await endOrphans(dir)).toEqual(['kafka']);
    expect(identityOf(child.pid)).toBeUndefined();
    expect(['kafka.json', 'torn.json'].filter((name) => existsSync(join(dir, name)))).toEqual([]);
  });

  it('does not end a process that has the noted pid but started at another time', async () => {
    const unrelated = leftBehind();
    note({ guard: unrelated, child: { ...unrelated, startedAt: 'long ago' } });
    expect(await endOrphans(dir)).toEqual([]);
    expect(identityOf(unrelated.pid)).toBeDefined();
    process.kill(unrelated.pid, 'SIGKILL');
  });
});
