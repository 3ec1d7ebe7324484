import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isRunning, type ProcessIdentity } from './process-identity.js';
import { waitUntil } from './wait-until.js';

const identity = z.object({ pid: z.int().positive(), startedAt: z.string() });
const pidsSchema = z.object({ guard: identity, child: identity });

/** The guards of a launcher that was killed are ending their children already; they get this long. */
const GUARDS_GET_MS = 5_000;
const KILLED_ENDS_WITHIN_MS = 5_000;

/**
 * Ends every process that an earlier launcher of this folder left behind, and answers the names of their parts.
 * A pid is touched only when its start time is the noted one, so a stranger with the same pid is safe.
 */
export async function sweepLeftovers(pidDir: string): Promise<string[]> {
  if (!existsSync(pidDir)) return [];
  const swept: string[] = [];
  for (const file of readdirSync(pidDir).filter((name) => name.endsWith('.json'))) {
    if (await endLeftover(join(pidDir, file))) swept.push(file.slice(0, -'.json'.length));
    rmSync(join(pidDir, file), { force: true });
  }
  return swept;
}

async function endLeftover(file: string): Promise<boolean> {
  const pids = readPids(file);
  if (pids === undefined || !isRunning(pids.child)) return false;
  const gone = () => !isRunning(pids.child);
  await waitUntil(gone, isRunning(pids.guard) ? GUARDS_GET_MS : 0);
  killGroupOf(pids.child);
  await waitUntil(gone, KILLED_ENDS_WITHIN_MS);
  return true;
}

function readPids(file: string): z.infer<typeof pidsSchema> | undefined {
  try {
    return pidsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Torn or foreign: nothing can be concluded from it.
    return undefined;
  }
}

/** Kills the process group that this process leads, if it is still the same process. */
export function killGroupOf(leader: ProcessIdentity): void {
  if (!isRunning(leader)) return;
  try {
    process.kill(-leader.pid, 'SIGKILL');
  } catch {
    // It ended by itself in between.
  }
}
