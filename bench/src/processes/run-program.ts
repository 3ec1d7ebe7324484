import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { inheritedEnvironment } from '@carbon/config';

/** A program that has ended well. */
export interface Ran {
  /** From its start to its end. */
  readonly seconds: number;
  /** The most memory it held, in MB, as far as the system tells (Linux). */
  readonly peakMb: number | undefined;
}

const LOOK_EVERY_MS = 50;
const WORDS_KEPT = 2_000;

/** Runs a program of node to its end. @throws Error with its last words when it fails, or when the run is stopped */
export async function runProgram(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Ran> {
  const begun = performance.now();
  const env = { ...inheritedEnvironment(), ...environment };
  const child = spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'], signal });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-WORDS_KEPT);
  });
  let peakMb: number | undefined;
  const looking = setInterval(() => {
    peakMb = peakOf(child.pid) ?? peakMb;
  }, LOOK_EVERY_MS);
  try {
    const [code, killed] = await once(child, 'close');
    if (code !== 0) throw new Error(`${file} ended with ${code ?? killed}:\n${words}`);
    return { seconds: (performance.now() - begun) / 1000, peakMb };
  } finally {
    clearInterval(looking);
  }
}

/** The most memory that a running process has held so far, in MB. */
function peakOf(pid: number | undefined): number | undefined {
  try {
    const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found === null ? undefined : Number(found[1]) / 1024;
  } catch {
    return undefined;
  }
}
