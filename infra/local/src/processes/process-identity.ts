import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { platform } from 'node:os';

/**
 * Names one process for ever: a pid alone is given again to strangers, a pid with its start time is not.
 * `startedAt` is opaque; compare it, do not read it.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string;
}

/** The identity of the process that has this pid now, or undefined when there is none (a zombie counts as none). */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const startedAt = platform() === 'linux' ? startFromProc(pid) : startFromPs(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** Whether exactly this process, and not a later one with its pid, is still running. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identityOf(identity.pid)?.startedAt === identity.startedAt;
}

/** Linux counts start times in ticks since boot, so the boot's own id belongs to the identity (proc(5), field 22). */
function startFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name and may hold anything, so counting starts after its closing bracket.
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
