import { CRITERIA_OPERATORS, compile, queryOf } from '@carbon/criteria';
import { golden, libraryFields } from '@carbon/criteria/golden';
import { OPERATOR_WORDS, quoted } from './criteria-tokens.js';

/** Returns a text after every rewrite, as pressing the key until no error has one; undefined if none has. */
function fixed(criteria: string): string | undefined {
  let text = criteria;
  for (let presses = 0; presses < 10; presses += 1) {
    const result = compile(text, libraryFields);
    const errors = result.ok ? [] : result.errors;
    const [rewrite] = errors.flatMap((error) => error.rewrite ?? []);
    if (rewrite === undefined) break;
    text = text.slice(0, rewrite.position) + rewrite.text + text.slice(rewrite.position + rewrite.length);
  }
  return text === criteria ? undefined : text;
}

/** What a text selects; undefined for an invalid one. */
function meaning(text: string): unknown {
  const result = queryOf(text, libraryFields);
  return result.ok ? result.value : undefined;
}

describe('the rewrite of an error', () => {
  const cases = golden.mistakes.map(({ criteria, meant }) => ({ criteria, meant, text: fixed(criteria) }));

  it('makes valid criteria of nearly every error that the service can rewrite', () => {
    const offered = cases.filter(({ text }) => text !== undefined);
    expect(offered.length).toBeGreaterThan(350);
    const invalid = offered.filter(({ text = '' }) => meaning(text) === undefined);
    expect(invalid.map(({ criteria, text }) => `${criteria} → ${text}`).length).toBeLessThanOrEqual(8);
  });

  it('makes exactly what was meant, for nearly all', () => {
    const known = cases.filter(({ text, meant }) => meant !== undefined && text !== undefined && meaning(text));
    const exact = known.filter(({ text = '', meant = '' }) => {
      const [made, expected] = [meaning(text), meaning(meant)].map((query) => JSON.stringify(query));
      return made === expected;
    });
    // `meant` is only the rewritten condition of some texts with several.
    expect(exact.length / known.length).toBeGreaterThan(0.9);
  });

  it.each([
    ['price < 5 USD and country: Brazil', 'price < 5 and country: Brazil'],
    ['country: Brazil and (tiker: BCT)', 'country: Brazil and (ticker: BCT)'],
    ['vintages:2015-2018', 'vintages:2015..2018'],
    ['3 < rating < 5', 'rating > 3 and rating < 5'],
  ])('changes nothing else: %s', (criteria, expected) => expect(fixed(criteria)).toBe(expected));
});

it('knows every operator that is a word', () => {
  expect(OPERATOR_WORDS).toEqual(CRITERIA_OPERATORS.filter((operator) => /^[a-z]/.test(operator)));
});

describe('a value', () => {
  it('is quoted so that it is found as it is', () => {
    for (const value of ['Brazil', 'Viet Nam', 'a"b\\c', "Côte d'Ivoire", 'and', '(x)', '2015', 'a*']) {
      expect(meaning(`country = ${quoted(value)}`)).toEqual(meaning(`country = "${value.replace(/["\\]/g, '\\$&')}"`));
    }
  });
});
