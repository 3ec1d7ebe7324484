import { textOf } from './tracked-files.js';

/** The tests that SECURITY.md names, each with the file it is said to be in. */
function namedTests(): { file: string; name: string }[] {
  const rows = textOf('SECURITY.md').split('\n');
  return rows.flatMap((row) =>
    row.split(/(?=\[[^\]]+\]\([^)]+\.ts\))/).flatMap((part) => {
      const file = /^\[[^\]]+\]\(([^)]+\.ts)\)/.exec(part)?.[1];
      return file === undefined ? [] : [...part.matchAll(/"([^"]+)"/g)].map(([, name = '']) => ({ file, name }));
    }),
  );
}

describe('SECURITY.md', () => {
  it('names tests', () => {
    expect(namedTests().length).toBeGreaterThan(25);
  });

  it.each(namedTests())('names a test that is there: $name', ({ file, name }) => {
    expect(textOf(file)).toContain(name);
  });
});
