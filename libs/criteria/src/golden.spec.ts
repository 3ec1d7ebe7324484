import { checkCriteria } from './check/check.js';
import { compile } from './compile.js';
import { CRITERIA_ERROR_CODES } from './errors/criteria-error.js';
import { parseCriteria } from './parse/parse.js';
import { golden, goldenFields } from './reference/golden.js';
import { matches } from './reference/matches.js';

describe('the examples that define the language', () => {
  it.each(golden.valid)('reads $criteria', ({ criteria, canonical, query }) => {
    expect(compile(criteria, goldenFields)).toEqual({ ok: true, query, canonical });
  });

  it.each(golden.valid)('means by $criteria what the fixture says', ({ criteria, matches: expected }) => {
    const parsed = parseCriteria(criteria);
    const checked = parsed.ok ? checkCriteria(parsed.value, goldenFields) : parsed;
    const selected = golden.documents.filter((document) => checked.ok && matches(checked.value, document));
    expect(selected.map(({ id }) => id).sort()).toEqual([...expected].sort());
  });

  it.each(golden.invalid)('refuses $criteria', ({ criteria, errors }) => {
    const compiled = compile(criteria, goldenFields);
    const found = compiled.ok ? [] : compiled.errors.map(({ code, position, length }) => [code, position, length]);
    expect(found).toEqual(errors);
  });

  it('shows every class of mistake but the limits', () => {
    const limits = ['TOO_LONG', 'TOO_MANY_CLAUSES', 'VALUE_TOO_LONG'];
    const shown = new Set(golden.invalid.flatMap(({ errors }) => errors.map(([code]) => code)));
    expect(CRITERIA_ERROR_CODES.filter((code) => !shown.has(code))).toEqual(limits);
  });
});
