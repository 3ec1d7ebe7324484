import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotRun } from '../failures.js';
import type { Python } from './find-python.js';

/** Written last: an environment without it was broken off. */
const MARK = 'made-of';
const MAKING_MS = 10 * 60_000;

/** Where an environment is to be, and what is to be in it. */
export interface EnvironmentPlan {
  readonly dir: string;
  /** The text of a requirements file. */
  readonly requirements: string;
  readonly say: (sentence: string) => void;
}

/** The environment's own Python, with everything that is required; made when it is not there or not the same. */
export async function environment(findPython: () => Python, { dir, requirements, say }: EnvironmentPlan) {
  const program = join(dir, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  if (isMade(dir, program, requirements)) return program;
  const python = findPython();
  say(`making a Python ${python.version} environment in ${dir}, once`);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'requirements.txt'), requirements);
  await run(python.program, ['-m', 'venv', dir]);
  const pip = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--no-input',
    '--only-binary',
    ':all:',
  ];
  await run(program, [...pip, '-r', join(dir, 'requirements.txt')]);
  writeFileSync(join(dir, MARK), requirements);
  return program;
}

function isMade(dir: string, program: string, requirements: string): boolean {
  const mark = join(dir, MARK);
  return existsSync(program) && existsSync(mark) && readFileSync(mark, 'utf8') === requirements;
}

async function run(program: string, args: readonly string[]): Promise<void> {
  // Pip's words are for people; standard output is for the command's own.
  const child = spawn(program, args, { stdio: ['ignore', 2, 2], timeout: MAKING_MS });
  const [code] = await once(child, 'exit');
  if (code !== 0) {
    throw new CannotRun(`The Python environment was not made: ${program} ${args.join(' ')} ended with ${code}.`, 75);
  }
}
