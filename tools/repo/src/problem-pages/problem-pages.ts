import { CRITERIA_ERROR_CODES } from '@carbon/criteria';
import { ITEM_CODES, PROBLEMS } from '@carbon/http';
import { textOf } from '../tracked-files.js';
import { problemPage } from './problem-page.js';

/** Where the gateway finds its pages. */
export const SERVED_PAGES = 'apps/gateway/pages/problems';

/** Every code that a problem document or one of its items may have, whichever app writes it. */
export const PROBLEM_CODES: readonly string[] = [
  ...new Set([...Object.keys(PROBLEMS), ...ITEM_CODES, ...CRITERIA_ERROR_CODES.map((code) => code.toLowerCase())]),
].sort();

/** The pages the gateway serves, by their file: one for each code, and the list of all. */
export function problemPages(list: string): [file: string, text: string][] {
  return [
    [`${SERVED_PAGES}/index.html`, problemPage('README', list)],
    ...PROBLEM_CODES.map((code): [string, string] => [
      `${SERVED_PAGES}/${code}.html`,
      problemPage(code, textOf(`docs/problems/${code}.md`)),
    ]),
  ];
}
