import { textOf, trackedFiles } from './tracked-files.js';

const TABLE = 'tools/repo/long-specs.json';
const entries = Object.entries<number>(JSON.parse(textOf(TABLE)));

describe('the table of what begins first', () => {
  it('names only tests that there are', () => {
    const specs = new Set(trackedFiles().filter((file) => file.endsWith('.spec.ts')));
    expect(entries.map(([file]) => file).filter((file) => !specs.has(file))).toEqual([]);
  });

  it('is in order, the longest first', () => {
    const seconds = entries.map(([, seconds]) => seconds);
    expect(seconds).toEqual([...seconds].sort((a, b) => b - a));
  });
});
