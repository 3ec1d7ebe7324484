import { readFileSync } from 'node:fs';
import { compile } from './criteria.js';
import { type CriteriaField, type CriteriaFieldType, criteriaFields } from './fields.js';
import { CRITERIA_OPERATORS, type CriteriaOperator, OPERATORS, operatorsOf } from './operators.js';
import { randomPredicate } from './testing/generate.js';
import { golden, randomFields } from './testing/golden.js';
import { seeded } from './testing/random.js';

describe('a field', () => {
  const named = (name: string) => ({ name, type: 'keyword', multi: false }) as const;
  const fields = criteriaFields(['ticker', 'registryId'].map(named));

  it('is found by its name in any letter case of ASCII', () => {
    const found = ['registryId', 'registryid', 'REGISTRYID', 'tic\u212aer'].map((name) => fields.find(name)?.name);
    expect(found).toEqual(['registryId', 'registryId', 'registryId', undefined]);
  });

  it('cannot share its name with another, in whatever letter case', () => {
    expect(() => criteriaFields(['ticker', 'TICKER'].map(named))).toThrow(RangeError);
  });
});

/** A value of the type, a greater one, and a pattern for it. */
const VALUES: Readonly<Record<CriteriaFieldType, readonly [value: string, later: string, pattern: string]>> = {
  keyword: ['BCT', 'NCT', 'BC*'],
  text: ['carbon', 'tonne', 'carbon*'],
  number: ['3.5', '4', '3*'],
  integer: ['2019', '2021', '20*'],
  date: ['2022-02', '2023', '2022*'],
  boolean: ['true', 'false', 'tr*'],
  address: ['0x2f', '0x3f', '0x2f*'],
};

/** Returns a condition with an operator. */
function useOf(operator: CriteriaOperator, [value, later, pattern]: readonly [string, string, string]): string {
  if (operator === '..') return `f:${value}..${later}`;
  const operands = {
    operand: value,
    value,
    pattern: `"${pattern}"`,
    list: `(${value}, ${later})`,
    bounds: `${value} and ${later}`,
    nothing: '',
  };
  return `f ${operator} ${operands[OPERATORS[operator].takes]}`;
}

const FIELDS: readonly CriteriaField[] = [
  ...(Object.keys(VALUES) as CriteriaFieldType[]).map((type) => ({ name: 'f', type, multi: false })),
  { name: 'f', type: 'text', multi: false, exact: true },
  { name: 'f', type: 'integer', multi: true },
  { name: 'f', type: 'keyword', multi: true },
];

describe('the operators of a field', () => {
  it.each(FIELDS)('are those that the checker accepts, in their order: $type, exact $exact, multi $multi', (field) => {
    const outcomes = CRITERIA_OPERATORS.map((operator) => {
      const compiled = compile(useOf(operator, VALUES[field.type]), criteriaFields([field]));
      return { operator, codes: compiled.ok ? [] : compiled.errors.map(({ code }) => code) };
    });
    const accepted = outcomes.filter(({ codes }) => codes.length === 0).map(({ operator }) => operator);
    expect(operatorsOf(field)).toEqual(accepted);
    expect(outcomes.flatMap(({ codes }) => codes).filter((code) => !code.endsWith('_NOT_ALLOWED'))).toEqual([]);
  });
});

describe('every operator', () => {
  const spellings = CRITERIA_OPERATORS.flatMap((operator) => OPERATORS[operator].spellings);

  const wordsAndSigns = (texts: readonly string[]) =>
    new Set<string>(texts.flatMap((text) => text.toLowerCase().split(/([a-z]+|[:=!<>]+)/)));

  it('has an example in golden/valid.json', () => {
    const found = wordsAndSigns(golden.valid.map(({ criteria }) => criteria));
    expect(
      CRITERIA_OPERATORS.filter(
        (operator) => operator !== '..' && !OPERATORS[operator].spellings.some((spelling) => found.has(spelling)),
      ),
    ).toEqual([]);
  });

  it('is in the random criteria of testing/generate.ts, in every spelling', () => {
    const choose = seeded(1);
    const found = wordsAndSigns(Array.from({ length: 3_000 }, () => randomPredicate(choose, randomFields)));
    expect(spellings.filter((spelling) => !found.has(spelling))).toEqual([]);
  });

  it('is in the grammar of docs/criteria.md, in every spelling', () => {
    const page = readFileSync(new URL('../../../docs/criteria.md', import.meta.url), 'utf8');
    const [grammar = ''] = /^```ebnf\n[\s\S]*?^```$/m.exec(page) ?? [];
    // The grammar has two parts for a relation after a colon.
    const symbols = spellings.map((spelling) => spelling.replace(/^:(?=[<>])/, ''));
    expect(symbols.filter((symbol) => !grammar.includes(`"${symbol}"`))).toEqual([]);
  });
});
