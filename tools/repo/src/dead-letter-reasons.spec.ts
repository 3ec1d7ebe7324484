import { textOf, trackedFiles } from './tracked-files.js';

/** Where messages are given up: what every consumer does, and the steps that take messages. */
const GIVES_UP =
  /^(libs\/messaging\/src\/pipeline|apps\/offsets\/src\/(receive|supply)|apps\/catalog\/src\/ingest)\/[^/]+\.ts$/;
const REASON = /\bunfit\([^':]*'([a-z_]+)'|\bcode: '([a-z_]+)',\s*detail/g;

function reasonsInCode(): string[] {
  const files = trackedFiles().filter((file) => GIVES_UP.test(file) && !/\.spec\.ts$|\/test-[^/]+$/.test(file));
  const found = files.flatMap((file) =>
    [...textOf(file).matchAll(REASON)].map(([, unfit, code]) => unfit ?? code ?? ''),
  );
  return [...new Set(found)].sort();
}

describe('the reasons on docs/events.md', () => {
  it('are those for which consumers give messages up', () => {
    const [, table = ''] = textOf('docs/events.md').split('\n| reason | means | what to do |\n');
    const rows = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `([a-z_]+)` \|/gm)];
    expect(rows.map(([, reason]) => reason).sort()).toEqual(reasonsInCode());
  });
});
