import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CannotRun } from '../failures.js';
import { environment } from './environment.js';
import { findPython } from './find-python.js';

/** A program that answers as Python would; `-m venv` makes an environment whose Python is the program again. */
const python = (facts: string, pip = 'exit 0') => `#!/bin/sh
case "$1 $2" in
  "-c import"*) echo "${facts}" ;;
  "-m venv") mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
  "-m pip") echo pip >> "$(dirname "$0")/calls"; ${pip} ;;
esac
`;

describe('the Python environment', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'python-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const program = (text: string): string => {
    const file = join(folder, 'a-python');
    writeFileSync(file, text);
    chmodSync(file, 0o755);
    return file;
  };
  const plan = (requirements: string) => ({ dir: join(folder, 'made'), requirements, say: () => {} });
  const pipCalls = () => readFileSync(join(folder, 'made/bin/calls'), 'utf8').trim().split('\n').length;

  it('is made once, and anew when other packages are required', async () => {
    const fit = program(python('3 12 1'));
    for (const _ of ['first', 'again']) {
      expect(await environment(() => findPython(fit), plan('a==1'))).toBe(join(folder, 'made/bin/python'));
      expect(pipCalls()).toBe(1);
    }
    writeFileSync(join(folder, 'made/left-over'), '');
    await environment(() => findPython(fit), plan('a==2'));
    expect(existsSync(join(folder, 'made/left-over'))).toBe(false);
  });

  it('is made anew when its making was broken off', async () => {
    const broken = program(python('3 12 1', 'exit 3'));
    const making = environment(() => findPython(broken), plan('a==1'));
    await expect(making).rejects.toMatchObject({ exitCode: 75, message: expect.stringContaining('ended with 3') });
    const fit = program(python('3 12 1'));
    await environment(() => findPython(fit), plan('a==1'));
    expect(pipCalls()).toBe(1);
  });

  it('needs no Python of the system once it is made', async () => {
    const fit = program(python('3 12 1'));
    await environment(() => findPython(fit), plan('a==1'));
    const none = () => {
      throw new Error('it was looked for');
    };
    await expect(environment(none, plan('a==1'))).resolves.toContain('made');
  });

  it.each([
    ['is too old', '3 9 1', 'a-python is 3.9, which is too old'],
    ['is of another age', '2 7 0', 'a-python is 2.7, which is too old'],
    ['cannot make environments', '3 11 0', 'a-python is 3.11, and cannot make environments'],
  ])('is not made with a Python that %s, and the command says what to install', (_, facts, reason) => {
    const file = program(python(facts));
    const looking = () => findPython(file);
    expect(looking).toThrow(CannotRun);
    expect(looking).toThrow(reason);
    expect(looking).toThrow('apt-get install python3 python3-venv');
    expect(looking).toThrow(expect.objectContaining({ exitCode: 78 }));
  });

  it('is not made where there is no Python', () => {
    expect(() => findPython(join(folder, 'nothing'))).toThrow('There is no Python.');
  });
});
