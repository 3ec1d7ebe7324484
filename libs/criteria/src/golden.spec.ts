import { checkCriteria } from './check/check.js';
import { type Compiled, compile, queryOf } from './criteria.js';
import { CRITERIA_ERROR_CODES } from './diagnostics/criteria-error.js';
import { parseCriteria } from './parse/parse.js';
import { select } from './testing/criteria.js';
import { golden, goldenFields } from './testing/golden.js';
import { matches } from './testing/matches.js';
import { rewritten as fixed } from './testing/rewrites.js';

/** Returns the result of the checker, or the failure of the parser. */
function check(criteria: string) {
  const parsed = parseCriteria(criteria);
  return parsed.ok ? checkCriteria(parsed.value, goldenFields) : parsed;
}

/** Returns every object and list in a value, including itself. */
function partsOf(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(partsOf)];
}

describe('the examples that define the language', () => {
  const accepted = golden.valid.map((example) => ({ example, compiled: compile(example.criteria, goldenFields) }));

  it('are read as their query and their canonical form', () => {
    const { valid } = golden;
    expect(accepted.map(({ example, compiled }) => ({ ...example, ...compiled }))).toEqual(
      valid.map((example) => ({ ...example, ok: true })),
    );
  });

  it('select the documents of the fixture that they name', () => {
    const selected = golden.valid.map(({ criteria }) => {
      const checked = check(criteria);
      const found = golden.documents.filter((document) => checked.ok && matches(checked.value, document));
      return { criteria, matches: found.map(({ id }) => id).sort() };
    });
    expect(selected).toEqual(golden.valid.map(({ criteria, matches }) => ({ criteria, matches: [...matches].sort() })));
  });

  it('have a canonical form that reads back as the same query and as itself', () => {
    const again = golden.valid.map(({ canonical }): Compiled => compile(canonical, goldenFields));
    expect(again).toEqual(golden.valid.map(({ canonical, query }) => ({ ok: true, canonical, query })));
  });

  it('are refused with their errors and hints', () => {
    const refused = golden.invalid.map(({ criteria }) => {
      const compiled = compile(criteria, goldenFields);
      const errors = compiled.ok ? [] : compiled.errors;
      return {
        criteria,
        errors: errors.map(({ code, position, length, hint }) => [code, position, length, ...(hint ? [hint] : [])]),
      };
    });
    expect(refused).toEqual(golden.invalid.map(({ criteria, errors }) => ({ criteria, errors })));
  });

  it('select what was meant once they are rewritten as the hint says', () => {
    const rewritten = golden.invalid.flatMap(({ criteria, replaced, meant }) => {
      const text = fixed(criteria, (text) => compile(text, goldenFields));
      return replaced === undefined || meant === undefined || text === criteria ? [] : [{ text, meant }];
    });
    expect(rewritten.length).toBeGreaterThan(120);
    expect(rewritten.map(({ text }) => ({ text, selected: select(text) }))).toEqual(
      rewritten.map(({ text, meant }) => ({ text, selected: select(meant) })),
    );
  });

  it('show every class of error except the limits', () => {
    const shown = new Set(golden.invalid.flatMap(({ errors }) => errors.map(([code]) => code)));
    const missing = CRITERIA_ERROR_CODES.filter((code) => !shown.has(code));
    expect(missing).toEqual(['TOO_LONG', 'TOO_MANY_CLAUSES', 'VALUE_TOO_LONG']);
  });
});

describe('the values that the package returns', () => {
  it('are queries that share nothing with any other', () => {
    const queries = golden.valid.map(({ criteria }) => queryOf(criteria, goldenFields));
    expect(queries).toEqual(golden.valid.map(({ query }) => ({ ok: true, value: query })));
    const shared = golden.valid.filter(({ criteria }, place) => {
      const earlier = new Set(partsOf(queries[place]));
      return partsOf(queryOf(criteria, goldenFields)).some((part) => earlier.has(part));
    });
    expect(shared).toEqual([]);
  });
});
