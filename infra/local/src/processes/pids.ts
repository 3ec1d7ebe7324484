import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** Stores the processes of a part in a file, so that a later start can end what a killed launcher left behind. */
export function writePids(file: string, guardPid: number, childPid: number): void {
  const [guard, child] = [identityOf(guardPid), identityOf(childPid)];
  if (guard === undefined || child === undefined) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify({ guard, child }));
  renameSync(`${file}.new`, file);
}

/** Removes the pid file of a part. The guard calls it after its child has ended. */
export function removePidFile(file: string): void {
  rmSync(file, { force: true });
}

/**
 * Identifies one process: a pid alone is reused, but a pid with its start time is not. `startedAt` is opaque; only
 * compare it.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string;
}

/** Returns the identity of the process that has this pid now, or undefined (also for a zombie). */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const startedAt = platform() === 'linux' ? startFromProc(pid) : startFromPs(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** Returns whether exactly this process, and not a later one with its pid, is still running. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identityOf(identity.pid)?.startedAt === identity.startedAt;
}

/** Linux counts start times in ticks since boot, so the boot's id is part of the identity (proc(5), field 22). */
function startFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name and may contain anything, so fields are counted after its closing parenthesis.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, ticks] = [fields[0], fields[19]];
    if (state === 'Z' || state === 'X' || ticks === undefined) return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${ticks}`;
  } catch {
    return undefined;
  }
}

function startFromPs(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
  } catch {
    return undefined;
  }
}

const POLL_MS = 20;

/** Waits until the condition holds; returns whether it did within the timeout. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  everyMs = POLL_MS,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() >= deadline) return false;
    await sleep(everyMs);
  }
  return true;
}

const identity = z.object({ pid: z.int().positive(), startedAt: z.string() });
const pidsSchema = z.object({ guard: identity, child: identity });

/** How long the guards of a killed launcher may take to end their children, which they have begun to do. */
const GUARD_TIMEOUT_MS = 5_000;
const KILL_TIMEOUT_MS = 5_000;

/**
 * Ends the processes that an earlier launcher of this folder left behind, and returns the names of their parts. Kills a process only
 * if its start time matches, so another process with a reused pid is safe.
 */
export async function endOrphans(pidDir: string): Promise<string[]> {
  if (!existsSync(pidDir)) return [];
  const swept: string[] = [];
  for (const file of readdirSync(pidDir).filter((name) => name.endsWith('.json'))) {
    if (await endOrphan(join(pidDir, file))) swept.push(file.replace(/(\.step)?\.json$/, ''));
    rmSync(join(pidDir, file), { force: true });
  }
  return swept;
}

async function endOrphan(file: string): Promise<boolean> {
  const pids = readPids(file);
  if (pids === undefined || !isRunning(pids.child)) return false;
  const hasEnded = () => !isRunning(pids.child);
  await waitUntil(hasEnded, isRunning(pids.guard) ? GUARD_TIMEOUT_MS : 0);
  killGroupOf(pids.child);
  await waitUntil(hasEnded, KILL_TIMEOUT_MS);
  return true;
}

function readPids(file: string): z.infer<typeof pidsSchema> | undefined {
  try {
    return pidsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Truncated or invalid: ignored.
    return undefined;
  }
}

/** Kills the process group of this process, if it is still the same process. */
export function killGroupOf(leader: ProcessIdentity): void {
  if (!isRunning(leader)) return;
  try {
    process.kill(-leader.pid, 'SIGKILL');
  } catch {
    // The process ended after the check.
  }
}
