import { LONGEST_FULL_TEXT, RESULT_FIELDS, SORTABLE } from '@carbon/contracts';
import { CRITERIA_OPERATORS } from '@carbon/criteria';
import { FULL_TEXT_FIELDS } from './indexing/mapping.js';
import { codesIn, rowsOf, textOf } from './test-criteria-page.js';
import { addressProblem } from './test-criteria-problem.js';

const PAGE = textOf('docs/search.md').replaceAll('\n', ' ');

/** What stands between two pieces of text on the page. */
function between(begin: string, end: string): string {
  const from = PAGE.indexOf(begin) + begin.length;
  return PAGE.slice(from, PAGE.indexOf(end, from));
}

describe('docs/search.md', () => {
  it('knows all parameters, and no other', () => {
    const told = rowsOf(textOf('docs/search.md'), 'parameter').flatMap((row) => codesIn(row.parameter));
    const { errors } = addressProblem('/v1/assets/pools?criteria=&fullTextSearch=&xyzzy=1');
    expect(errors[0]?.detail).toBe(`unknown parameter, known here are ${told.join(', ')}`);
  });

  it('knows what is shown, what can be sorted by and what free text looks through', () => {
    expect(codesIn(between('Each element has what the asset has of', '. Nothing'))).toEqual(RESULT_FIELDS);
    expect(codesIn(between('Sortable are', '. Assets without'))).toEqual(SORTABLE);
    expect(between('found, somewhere in ', '.').split(/, | or /)).toEqual(FULL_TEXT_FIELDS);
  });

  it('knows the longest free text, and the operators there are', () => {
    expect(PAGE).toContain(`at most ${LONGEST_FULL_TEXT} characters`);
    expect(codesIn(between('what it takes, from', '|'))).toEqual([CRITERIA_OPERATORS.join(' ')]);
  });
});
