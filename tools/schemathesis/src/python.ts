import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotRunError } from './target.js';

const REQUIREMENTS = join(import.meta.dirname, '../requirements.txt');
const ENVIRONMENT = join(import.meta.dirname, '../../../.local/schemathesis/python');
const PROGRAM = join(ENVIRONMENT, 'bin/python');
/** Written last, so an interrupted installation is repeated. */
const INSTALLED = join(ENVIRONMENT, 'installed.txt');
const INSTALL_MS = 10 * 60_000;

const HOW_TO_INSTALL = `This command needs Python 3.10 or newer with its venv module.
  Debian, Ubuntu: apt-get install python3 python3-venv
  Fedora:         dnf install python3
  macOS:          brew install python3
Then run it again. PYTHON=<program> names another Python.`;

/**
 * Creates the virtual environment of requirements.txt with this Python, unless it exists. @returns its interpreter
 * @throws CannotRunError 78 without a suitable Python, 75 when the packages could not be installed
 */
export async function preparePython(python: string): Promise<string> {
  const installing = `# ${python}\n${readFileSync(REQUIREMENTS, 'utf8')}`;
  const isComplete = existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === installing;
  // The interpreter is a link to one that may have been replaced or removed since.
  if (isComplete && run(PROGRAM, ['-c', 'import schemathesis'])) return PROGRAM;
  const isNewEnough = run(python, ['-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))']);
  if (!isNewEnough) throw new CannotRunError(`${python} is not a suitable Python.\n${HOW_TO_INSTALL}`, 78);
  process.stderr.write(`creating a Python environment in ${ENVIRONMENT}, only once\n`);
  rmSync(ENVIRONMENT, { recursive: true, force: true });
  mkdirSync(ENVIRONMENT, { recursive: true });
  const pip = '-m pip install --quiet --disable-pip-version-check --no-input --only-binary :all: -r'.split(' ');
  const isInstalled = run(python, ['-m', 'venv', ENVIRONMENT]) && run(PROGRAM, [...pip, REQUIREMENTS]);
  if (!isInstalled)
    throw new CannotRunError('The Python environment could not be created; see the messages above.', 75);
  writeFileSync(INSTALLED, installing);
  return PROGRAM;
}

/** Output goes to standard error, because standard output belongs to the report. */
function run(program: string, args: readonly string[]): boolean {
  const { status, signal } = spawnSync(program, args, { stdio: ['ignore', 2, 2], timeout: INSTALL_MS });
  if (signal !== null) throw new CannotRunError(`${program} was ended by ${signal}.`, 75);
  return status === 0;
}
