import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CannotRun } from '../failures.js';
import { environment } from './environment.js';
import { findPython } from './find-python.js';

describe('the Python environment', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'python-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** A program that answers as Python would; `-m venv` makes an environment whose Python is the program again. */
  const python = (facts: string, pip = 'exit 0'): string => {
    const file = join(folder, 'a-python');
    const script = `#!/bin/sh
case "$1 $2" in
  "-c import"*) echo "${facts}" ;;
  "-m venv") mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
  "-m pip") echo pip >> "$(dirname "$0")/calls"; ${pip} ;;
esac
`;
    writeFileSync(file, script);
    chmodSync(file, 0o755);
    return file;
  };
  const make = (file: string, requirements = 'a==1') =>
    environment(() => findPython(file), { dir: join(folder, 'made'), requirements, say: () => {} });
  const pipCalls = () => readFileSync(join(folder, 'made/bin/calls'), 'utf8').trim().split('\n').length;

  it('is made once, then needs no Python of the system, and is made anew when other packages are required', async () => {
    const fit = python('3 12 1');
    for (const file of [fit, join(folder, 'nothing')]) {
      expect(await make(file)).toBe(join(folder, 'made/bin/python'));
      expect(pipCalls()).toBe(1);
    }
    writeFileSync(join(folder, 'made/left-over'), '');
    await make(fit, 'a==2');
    expect(existsSync(join(folder, 'made/left-over'))).toBe(false);
  });

  it('is made anew when its making was broken off', async () => {
    const said = { exitCode: 75, message: expect.stringContaining('ended with 3') };
    await expect(make(python('3 12 1', 'exit 3'))).rejects.toMatchObject(said);
    await make(python('3 12 1'));
    expect(pipCalls()).toBe(1);
  });

  it('is not made without a Python that can, and the command says what to install', () => {
    const reasons = {
      '3 9 1': 'a-python is 3.9, which is too old',
      '2 7 0': 'a-python is 2.7, which is too old',
      '3 11 0': 'a-python is 3.11, and cannot make environments',
    };
    for (const [facts, reason] of Object.entries(reasons)) {
      const looking = () => findPython(python(facts));
      expect(looking).toThrow(CannotRun);
      expect(looking).toThrow(reason);
      expect(looking).toThrow('apt-get install python3 python3-venv');
      expect(looking).toThrow(expect.objectContaining({ exitCode: 78 }));
    }
    expect(() => findPython(join(folder, 'nothing'))).toThrow('There is no Python.');
  });
});
