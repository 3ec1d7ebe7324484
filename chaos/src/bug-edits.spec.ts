import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CHECKOUT } from '@carbon/local';
import { editedFiles } from './apply-edit.js';
import type { Bug } from './bug.js';
import { loadBugs, loadFaults } from './load-modules.js';

const bugs = await loadBugs();
const textOf = (file: string) => readFileSync(join(CHECKOUT, file), 'utf8');
const bugOf = (find: string, replace = ''): Bug => ({
  ...{ name: 'example', breaks: 'It is an example.', fault: 'none', caughtBy: 'lost' },
  edits: [{ file: 'apps/gateway/src/main.ts', find, replace }],
});

describe('the deliberate bugs', () => {
  it('have the names of their files, name a fault, and edit sources of apps and libs', async () => {
    const files = readdirSync(join(import.meta.dirname, 'bugs')).sort();
    expect(bugs.map(({ name }) => name)).toEqual(files.map((file) => basename(file, '.ts')));
    const faults = (await loadFaults()).map(({ name }) => name);
    for (const { fault, breaks, edits } of bugs) {
      expect(faults).toContain(fault);
      expect(breaks).toMatch(/^[A-Z].*\.$/);
      expect(edits.length).toBeGreaterThan(0);
      for (const { file } of edits) expect(file).toMatch(/^(apps|libs)\/[a-z-]+\/src\/.+(?<!\.spec)\.ts$/);
    }
  });

  it('still apply, each to the files that it names', () => {
    expect(bugs.length).toBeGreaterThan(8);
    const edited = bugs.map((bug) => [bug.name, new Set(editedFiles(bug, textOf).keys())]);
    expect(edited).toEqual(bugs.map(({ name, edits }) => [name, new Set(edits.map(({ file }) => file))]));
  });
});

describe('an edit', () => {
  it('replaces its text literally', () => {
    expect(editedFiles(bugOf('b', '$&'), () => 'abc')).toEqual(new Map([['apps/gateway/src/main.ts', 'a$&c']]));
  });

  it.each([
    ['does not occur', 'x', 0],
    ['occurs twice', 'a', 2],
  ])('whose text %s is refused, with the bug, the file and the text', (_, find, times) => {
    expect(() => editedFiles(bugOf(find), () => 'aba')).toThrow(
      `The bug example cannot be applied: apps/gateway/src/main.ts contains this text ${times} times instead of exactly once:\n${find}`,
    );
  });

  it('of a missing file is refused', () => {
    const gone = () => {
      throw new Error('ENOENT');
    };
    expect(() => editedFiles(bugOf('a'), gone)).toThrow('apps/gateway/src/main.ts cannot be read');
  });
});
