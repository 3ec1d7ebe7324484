import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from './guard-protocol.js';
import { GuardedProcess } from './guarded-process.js';
import { identityOf } from './process-identity.js';
import { waitUntil } from './wait-until.js';

const dir = mkdtempSync(join(tmpdir(), 'guarded-'));
const files = { logFile: join(dir, 'child.log'), pidFile: join(dir, 'child.json') };
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A shell line as a command that may take a short time to end. */
function shell(line: string, stopWithinMs = 300): Command {
  const env = { PATH: '/usr/bin:/bin' };
  return { file: '/bin/sh', args: ['-c', line], cwd: dir, env, stopSignal: 'SIGTERM', stopWithinMs };
}

/** A process that starts the command as the launcher does, and lives until it is killed; `lines` is what its child says. */
async function launcherOf(command: Command): Promise<{ launcher: ChildProcess; childPid: number }> {
  const door = new URL('../../dist/processes/guarded-process.js', import.meta.url).href;
  const script = `const { GuardedProcess } = await import(${JSON.stringify(door)});
    const child = await GuardedProcess.start(${JSON.stringify(command)}, ${JSON.stringify(files)});
    console.log(child.pid);`;
  const launcher = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: launcher.stdout })) return { launcher, childPid: Number(line) };
  throw new Error('the launcher said nothing');
}

const isGone = (pid: number) => waitUntil(() => identityOf(pid) === undefined, 8_000);

/** What the command wrote into this file, once it has. */
async function written(name: string): Promise<string> {
  const text = () => (existsSync(join(dir, name)) ? readFileSync(join(dir, name), 'utf8').trim() : '');
  expect(await waitUntil(() => text() !== '', 5_000)).toBe(true);
  return text();
}

describe('a guarded process', () => {
  it('ends, with what it has started, when its launcher is killed with -9', async () => {
    const { launcher, childPid } = await launcherOf(shell('sleep 600 & echo $! > grandchild; wait'));
    const grandchildPid = Number(await written('grandchild'));
    expect(identityOf(childPid)).toBeDefined();
    launcher.kill('SIGKILL');
    expect(await Promise.all([isGone(childPid), isGone(grandchildPid)])).toEqual([true, true]);
  });

  it('is killed when it does not listen, after its launcher was killed with -9', async () => {
    const { launcher, childPid } = await launcherOf(shell('trap "" TERM; while :; do sleep 1; done'));
    launcher.kill('SIGKILL');
    expect(await isGone(childPid)).toBe(true);
  });

  it('ends even when it was paused as its launcher was killed', async () => {
    const { launcher, childPid } = await launcherOf(shell('exec sleep 600'));
    process.kill(childPid, 'SIGSTOP');
    launcher.kill('SIGKILL');
    expect(await isGone(childPid)).toBe(true);
  });

  it('ends when its guard is killed with -9', async () => {
    const guarded = await GuardedProcess.start(shell('exec sleep 600'), files);
    const pid = guarded.pid ?? 0;
    const { guard } = JSON.parse(readFileSync(files.pidFile, 'utf8'));
    process.kill(guard.pid, 'SIGKILL');
    expect(await guarded.ended).toEqual({ code: null, signal: 'SIGKILL' });
    expect(await isGone(pid)).toBe(true);
  });

  it('is asked to end in order, and killed when that takes too long', async () => {
    const polite = shell('trap "exit 7" TERM; echo set > polite; while :; do sleep 0.05; done', 5_000);
    const listening = await GuardedProcess.start(polite, files);
    await written('polite');
    expect(await listening.stop()).toEqual({ code: 7, signal: null });
    const deaf = await GuardedProcess.start(
      shell('trap "" TERM; echo set > deaf; while :; do sleep 0.05; done'),
      files,
    );
    await written('deaf');
    expect(await deaf.stop()).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('tells how it ended by itself, and forgets its pid note', async () => {
    const exited = await GuardedProcess.start(shell('exit 3'), files);
    expect(await exited.ended).toEqual({ code: 3, signal: null });
    const killed = await GuardedProcess.start(shell('kill -9 $$'), files);
    expect(await killed.ended).toEqual({ code: null, signal: 'SIGKILL' });
    expect(() => readFileSync(files.pidFile)).toThrow('ENOENT');
  });

  it('writes what it says into its log', async () => {
    const speaking = await GuardedProcess.start(shell('echo out; echo err >&2'), files);
    await speaking.ended;
    expect(readFileSync(files.logFile, 'utf8')).toMatch(/out\nerr\n$/);
  });

  it('says why it cannot be started', async () => {
    const nowhere = { ...shell(''), file: '/no/such/program' };
    await expect(GuardedProcess.start(nowhere, files)).rejects.toThrow('ENOENT');
  });
});
