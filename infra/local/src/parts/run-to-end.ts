import { spawn } from 'node:child_process';
import type { Command } from '../processes/guard-protocol.js';

/** Runs a short command to its end and answers what it printed; throws with that when it fails or takes too long. */
export async function run(command: Command, withinMs: number): Promise<string> {
  const child = spawn(command.file, command.args, {
    cwd: command.cwd,
    env: command.env,
    ...command.runAs,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: withinMs,
    killSignal: 'SIGKILL',
  });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const text = Buffer.concat(said).toString('utf8').trim();
  if (code === 0) return text;
  const how = code === null ? `did not end within ${withinMs / 1000} s` : `exited with code ${code}`;
  throw new Error(`${command.file} ${how}: ${text.slice(-2_000)}`);
}
