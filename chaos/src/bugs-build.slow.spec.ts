import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyEdits, build, copyCheckout } from './copy-checkout.js';
import { loadBugs } from './load-modules.js';

const BUILT_TIMEOUT_MS = 600_000;

const bugs = await loadBugs();
const temporary = mkdtempSync(join(tmpdir(), 'bugs-'));
const folder = join(temporary, 'checkout');
beforeAll(() => copyCheckout(folder), BUILT_TIMEOUT_MS);
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

describe('a copy of the checkout', () => {
  it.each(bugs.map((bug) => [bug.name, bug] as const))(
    'compiles with the bug %s',
    async (_, bug) => {
      const undo = await applyEdits(folder, bug);
      try {
        await build(folder, bug);
      } finally {
        await undo();
      }
    },
    BUILT_TIMEOUT_MS,
  );

  it(
    'fails with the compiler’s message for a bug that does not compile',
    async () => {
      const [edit] = bugs[0]?.edits ?? [];
      if (bugs[0] === undefined || edit === undefined) throw new Error('There is no bug.');
      const broken = { ...bugs[0], name: 'broken', edits: [{ ...edit, replace: 'const = ;' }] };
      const undo = await applyEdits(folder, broken);
      try {
        await expect(build(folder, broken)).rejects.toThrow(/The bug broken does not compile\.[\s\S]*error TS/);
      } finally {
        await undo();
      }
    },
    BUILT_TIMEOUT_MS,
  );
});
