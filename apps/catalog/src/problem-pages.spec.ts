import { readdirSync } from 'node:fs';
import { CRITERIA_ERROR_CODES } from '@carbon/criteria';
import { FAULTS, type FaultCode, ITEM_CODES } from '@carbon/faults';
import { blocksOf, textOf } from './test-criteria-page.js';
import { addressProblem, criteriaProblem } from './test-criteria-problem.js';

const FOLDER = 'docs/problems';
const PAGES = readdirSync(new URL(`../../../${FOLDER}`, import.meta.url))
  .filter((file) => file !== 'README.md')
  .map((file) => file.replace(/\.md$/, ''));
const TOP = Object.keys(FAULTS) as FaultCode[];
const CRITERIA = CRITERIA_ERROR_CODES.map((code) => code.toLowerCase());
const PARAMETERS = ITEM_CODES.filter((code) => code.endsWith('_parameter'));

const pageOf = (code: string) => textOf(`${FOLDER}/${code}.md`);

/** The first block of JSON on a page. */
function shownOn(page: string): Record<string, unknown> {
  return JSON.parse(blocksOf(page, 'json')[0] ?? '');
}

/** What the request of a page is answered: at its address, or with the criteria it tells in pieces, such as `x` × 257. */
function answerTo(page: string) {
  const request = blocksOf(page, 'http')[0];
  if (request !== undefined) return addressProblem(request.replace(/^GET /, '').trim());
  const pieces = page.split('\n').find((line) => / × \d+/.test(line)) ?? '';
  const criteria = [...pieces.matchAll(/`([^`]+)`(?: × (\d+))?/g)].map(([, text = '', times = '1']) =>
    text.repeat(Number(times)),
  );
  return criteriaProblem('POOL', criteria.join(''));
}

describe('docs/problems', () => {
  it('has a page for each code, and no other', () => {
    expect(PAGES.sort()).toEqual([...new Set([...TOP, ...ITEM_CODES, ...CRITERIA])].sort());
  });

  it.each(PAGES)('explains %s in short: what it means, an example, what to do', (code) => {
    const page = pageOf(code);
    expect(page.startsWith(`# \`${code}\`\n`)).toBe(true);
    expect(page).toMatch(/\n## Example\n[\s\S]+\n## What to do\n\n\S/);
    expect(page.split('\n').length).toBeLessThan(50);
  });

  it.each([...CRITERIA, ...PARAMETERS])('shows the items of %s as they come', (code) => {
    const page = pageOf(code);
    const { errors } = answerTo(page);
    expect([shownOn(page)].flat()).toEqual(errors);
    expect(new Set(errors.map((item) => item.code))).toEqual(new Set([code]));
  });

  it.each(TOP)('shows type, title and status of %s', (code) => {
    const { title, status } = FAULTS[code];
    const page = pageOf(code);
    expect(page).toContain(`\nStatus ${status}. `);
    expect(shownOn(page)).toMatchObject({ type: `/problems/${code}`, title, status, code });
  });

  it.each(['invalid_request', 'invalid_criteria'])('shows the whole of %s as it comes', (code) => {
    const page = pageOf(code);
    expect({ ...shownOn(page), instance: 'request-id' }).toEqual(answerTo(page));
  });
});
