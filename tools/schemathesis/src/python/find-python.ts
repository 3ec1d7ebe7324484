import { spawnSync } from 'node:child_process';
import { CannotRun } from '../failures.js';

const OLDEST = [3, 10] as const;
const NAMES = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'];
const TAKES_MS = 10_000;
/** Prints the version, and whether environments can be made: some systems ship Python without. */
const ASK =
  'import sys, importlib.util as u; print(*sys.version_info[:2], int(all(map(u.find_spec, ("venv", "ensurepip")))))';

const WANTED = `This command needs Python ${OLDEST.join('.')} or newer with its venv module; nothing else of it is installed by hand.
  Debian, Ubuntu: apt-get install python3 python3-venv
  Fedora:         dnf install python3
  macOS:          brew install python3
Then run it again. PYTHON=<program> names another one.`;

/** One Python and what it can do. */
export interface Python {
  readonly program: string;
  readonly version: string;
}

/** The first Python that is new enough and can make environments. @throws CannotRun that says what to install */
export function findPython(named: string | undefined): Python {
  const found = (named === undefined ? NAMES : [named]).flatMap(look);
  const fit = found.find(({ fault }) => fault === undefined);
  if (fit !== undefined) return fit;
  const seen = found.map(({ program, version, fault }) => `${program} is ${version}, ${fault}`);
  const what = seen.length > 0 ? `There is no fit Python: ${seen.join('; ')}.` : 'There is no Python.';
  throw new CannotRun(`${what}\n${WANTED}`, 78);
}

function look(program: string): (Python & { readonly fault?: string })[] {
  const { status, stdout } = spawnSync(program, ['-c', ASK], { encoding: 'utf8', timeout: TAKES_MS });
  if (status !== 0) return [];
  const [major = 0, minor = 0, venv = 0] = stdout.trim().split(' ').map(Number);
  const version = `${major}.${minor}`;
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  if (isOld) return [{ program, version, fault: 'which is too old' }];
  return [venv === 1 ? { program, version } : { program, version, fault: 'and cannot make environments' }];
}
