import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { rotateLogs } from './log-rotation.js';
import { checkPorts } from './ports.js';
import { takeLock } from './processes/lock.js';
import { endOrphans } from './processes/pids.js';
import { RunningParts } from './supervise/running-parts.js';
import type { SupervisedPart } from './supervise/supervised-part.js';
import { loopback, type SystemAddresses, writeEnvironmentFile } from './system/addresses.js';
import { listParts, portsUsed } from './system/list-parts.js';
import { planOf, type StartSystemOptions, type SystemPlan } from './system/options.js';

/** A running system. */
export interface RunningSystem {
  readonly dir: string;
  readonly urls: SystemAddresses;
  /** The content of the folder's `environment` file for the commands of the checkout: addresses, prefixes, secrets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Returns one engine or app (`kafka`, `offsets`, `offsets-2`), to be stopped, killed and started again. */
  part(name: string): SupervisedPart;
  /** Resolves with the reason when a part cannot be kept running. */
  readonly failed: Promise<Error>;
  /** Stops everything in order: the gateway, the other apps, the engines. */
  stop(): Promise<void>;
}

/** Takes the folder's lock, starts everything in order and resolves when all is ready. */
export async function startSystem(options: StartSystemOptions): Promise<RunningSystem> {
  const plan = await planOf(options);
  mkdirSync(plan.dir, { recursive: true });
  const releaseLock = takeLock(join(plan.dir, 'lock'), loopback(plan.ports.GATEWAY_PORT));
  try {
    return await startLocked(plan, releaseLock);
  } catch (error) {
    releaseLock();
    throw error;
  }
}

async function startLocked(plan: SystemPlan, releaseLock: () => void): Promise<RunningSystem> {
  const { dir, onEvent, say } = plan;
  const folders = { logDir: join(dir, 'logs'), pidDir: join(dir, 'run') };
  for (const name of await endOrphans(folders.pidDir)) say(`stopped ${name}, which an earlier run left behind`);
  await checkPorts(plan.ports, portsUsed(plan));
  const { parts, urls, environment } = await listParts(plan);
  writeEnvironmentFile(dir, environment);
  const rotation = rotateLogs(folders.logDir);
  const running = new RunningParts(parts, { ...folders, onEvent, adapt: plan.adapt });
  const stop = async () => {
    await running.stop();
    rotation.stop();
    releaseLock();
  };
  await startOrStop(running, plan.signal, stop);
  return { dir, urls, environment, part: (name) => running.part(name), failed: running.failed, stop };
}

/** If the start fails or is aborted, the started parts are stopped before it rejects. */
async function startOrStop(running: RunningParts, signal: AbortSignal, stop: () => Promise<void>): Promise<void> {
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    await running.start();
  } catch (error) {
    await stop();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
