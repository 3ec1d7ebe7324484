/**
 * The guard: one small process around each engine and app. It starts its child in a new process group and holds a pipe
 * from the launcher. When the pipe closes, for whatever reason (including kill -9), it ends the child.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Command, ToGuard } from './guarded-process.js';
import { removePidFile, writePids } from './pids.js';

/** No process waits for an orphan, so it gets less time to exit than a child that is stopped. */
const ORPHAN_STOP_TIMEOUT_MS = 3_000;

let child: ChildProcess | undefined;
let hasExited = false;
let stopSignal: NodeJS.Signals = 'SIGTERM';
let stopWithinMs = 0;

process.on('message', (message: ToGuard) => {
  if (message.kind === 'run') run(message.command, message.pidFile);
  else if (message.kind === 'stop') end(stopWithinMs);
  else child?.kill(message.signal);
});
process.on('disconnect', () => end(Math.min(stopWithinMs, ORPHAN_STOP_TIMEOUT_MS)));
// The terminal's Ctrl-C does not arrive here (separate session); a signal to the guard is meant for its child as well.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => end(stopWithinMs));

// Also after an uncaught exception, such as a PID file that cannot be written.
process.on('exit', () => child !== undefined && !hasExited && killGroup(child));

function run(command: Command, pidFile: string): void {
  ({ stopSignal, stopWithinMs } = command);
  const started = spawn(command.file, command.args, {
    cwd: command.cwd,
    env: command.env,
    ...command.runAs,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  child = started;
  started.on('error', (error) => leave({ kind: 'not-started', reason: error.message }));
  started.on('spawn', () => {
    const pid = started.pid ?? 0;
    writePids(pidFile, process.pid, pid);
    process.send?.({ kind: 'started', pid });
  });
  started.on('exit', (code, signal) => {
    killGroup(started);
    hasExited = true;
    removePidFile(pidFile);
    leave({ kind: 'ended', ending: { code, signal } });
  });
}

function end(timeoutMs: number): void {
  const ending = child;
  if (ending === undefined) process.exit(0);
  ending.kill(stopSignal);
  // A suspended process (SIGSTOP) would not receive the signal above.
  ending.kill('SIGCONT');
  setTimeout(() => killGroup(ending), timeoutMs);
}

function killGroup(leader: ChildProcess): void {
  if (leader.pid === undefined) return;
  try {
    process.kill(-leader.pid, 'SIGKILL');
  } catch {
    // The group is already empty.
  }
}

function leave(message: object): void {
  if (!process.connected || process.send === undefined) process.exit(0);
  process.send(message, () => process.exit(0));
}
