import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Fault, FaultContext } from '../fault.js';
import type { Kind } from '../system/chaos-system.js';

/**
 * Longer than a consumer's session (10 s) and a worker's lease, so that others have taken over its work when it
 * continues.
 */
const PAST_SESSION_MS = [15_000, 18_000] as const;
/** Longer than a broker's session (2 s), so that its partitions have other leaders, and longer than a POST may take. */
const PAST_BROKER_SESSION_MS = [4_000, 8_000] as const;

/**
 * Suspends a process (SIGSTOP) for a while: it keeps its connections, does not respond, and continues with its old
 * state.
 */
async function freeze(
  { system, random, pause }: FaultContext,
  kind: Kind,
  range: readonly [number, number],
): Promise<void> {
  const part = random.pick(system.parts(kind));
  await part.ready();
  const { pid } = part;
  if (pid === undefined) throw new Error(`${part.name} has just ended`);
  signal(pid, 'SIGSTOP');
  const stopped = [pid];
  let helper: ChildProcess | undefined;
  try {
    // PostgreSQL has a process for each connection, and creates no new ones now.
    for (const child of childrenOf(pid)) {
      signal(child, 'SIGSTOP');
      stopped.push(child);
    }
    helper = continueAfter(range[1], stopped);
    await pause(random.whole(...range));
  } finally {
    if (helper?.pid !== undefined) signal(-helper.pid, 'SIGKILL');
    for (const one of stopped) signal(one, 'SIGCONT');
  }
}

/** If this process is killed meanwhile, the suspended ones would never continue. */
function continueAfter(ms: number, pids: readonly number[]): ChildProcess {
  const [seconds, names] = [Math.ceil(ms / 1_000) + 1, pids.map(String)];
  const words = ['-c', 'sleep "$0"; kill -CONT "$@" 2>/dev/null', String(seconds), ...names];
  const helper = spawn('/bin/sh', words, { detached: true, stdio: 'ignore' });
  helper.unref();
  return helper;
}

function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.map(Number);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It has exited meanwhile, perhaps because of another fault.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Processes that are suspended for a while and continue with their old state. */
export const faults: readonly Fault[] = [
  {
    name: 'freeze-offsets',
    does: 'SIGSTOP of a process of offsets for longer than its session and its lease',
    times: { ci: 1, full: 2 },
    inject: (context) => freeze(context, 'offsets', PAST_SESSION_MS),
  },
  {
    name: 'freeze-catalog',
    does: 'SIGSTOP of a process of the catalog for longer than its session',
    times: { full: 2 },
    inject: (context) => freeze(context, 'catalog', PAST_SESSION_MS),
  },
  {
    name: 'freeze-broker',
    does: 'SIGSTOP of a broker until others lead its partitions',
    times: { ci: 2, full: 2 },
    inject: (context) => freeze(context, 'kafka', PAST_BROKER_SESSION_MS),
  },
  {
    name: 'freeze-postgres',
    does: 'SIGSTOP of PostgreSQL for longer than a statement may take',
    times: { full: 2 },
    inject: (context) => freeze(context, 'postgres', [6_000, 8_000]),
  },
];
