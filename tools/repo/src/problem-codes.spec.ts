import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { CRITERIA_ERROR_CODES } from '@carbon/criteria';
import { ITEM_CODES, PROBLEMS } from '@carbon/http';
import { ROOT, textOf, trackedFiles } from './tracked-files.js';

/** Every code of a problem document or of one of its items, whichever app writes it. */
const CODES = [
  ...new Set([...Object.keys(PROBLEMS), ...ITEM_CODES, ...CRITERIA_ERROR_CODES.map((code) => code.toLowerCase())]),
].sort();

/** Returns the codes that are written out in the sources of the apps, where an item or an error is created. */
function codesInSource(): string[] {
  const sources = trackedFiles().filter((file) => /^(apps|libs)\/[^/]+\/src\/.*(?<!\.spec)\.ts$/.test(file));
  const made =
    /new (?:Request|Transient)Error\(\s*'([a-z_]+)'|\b(?:field|pointer): [^\n]{0,80}\bcode: '([a-z_]+)'|itemOf\([^,]+, '([a-z_]+)'/g;
  const found = sources
    .filter((file) => !/\/test-[^/]+\.ts$|\/testing\//.test(file))
    .flatMap((file) => [...textOf(file).matchAll(made)].map(([, error, item, other]) => error ?? item ?? other ?? ''));
  return [...new Set(found)].sort();
}

describe('docs/problems', () => {
  it('has one page for each code and no other', () => {
    const pages = readdirSync(resolve(ROOT, 'docs/problems')).map((file) => file.replace('.md', ''));
    expect(pages.filter((name) => name !== 'README').sort()).toEqual(CODES);
    const used = codesInSource();
    expect(used.length).toBeGreaterThan(15);
    expect(CODES).toEqual(expect.arrayContaining(used));
  });

  it('shows a complete document of each code', () => {
    const documents = Object.keys(PROBLEMS).map((code) => {
      const block = /```json\n([\s\S]*?)```/.exec(textOf(`docs/problems/${code}.md`))?.[1] ?? '';
      return [code, Object.keys(JSON.parse(block))];
    });
    const members = expect.arrayContaining(['type', 'title', 'status', 'detail', 'instance', 'code']);
    expect(documents).toEqual(documents.map(([code]) => [code, members]));
  });
});
