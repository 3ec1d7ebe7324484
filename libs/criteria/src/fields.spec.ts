import { compile } from './criteria.js';
import { type CriteriaField, type CriteriaFieldType, criteriaFields } from './fields.js';
import { CRITERIA_OPERATORS, type CriteriaOperator, operatorsOf } from './operators.js';

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

/** A value that fits the type, a later one, and a pattern of it. */
const VALUES: Readonly<Record<CriteriaFieldType, readonly [value: string, later: string, pattern: string]>> = {
  keyword: ['BCT', 'NCT', 'BC*'],
  text: ['carbon', 'tonne', 'carbon*'],
  number: ['3.5', '4', '3*'],
  integer: ['2019', '2021', '20*'],
  date: ['2022-02', '2023', '2022*'],
  boolean: ['true', 'false', 'tr*'],
  address: ['0x2f', '0x3f', '0x2f*'],
};

/** How each operator is used. */
const USES: Readonly<Record<CriteriaOperator, (value: string, later: string, pattern: string) => string>> = {
  ':': (value) => `f:${value}`,
  '=': (value) => `f = ${value}`,
  '!=': (value) => `f != ${value}`,
  '>': (value) => `f > ${value}`,
  '>=': (value) => `f >= ${value}`,
  '<': (value) => `f < ${value}`,
  '<=': (value) => `f <= ${value}`,
  '..': (value, later) => `f:${value}..${later}`,
  between: (value, later) => `f between ${value} and ${later}`,
  in: (value, later) => `f in (${value}, ${later})`,
  like: (_value, _later, pattern) => `f like "${pattern}"`,
  exists: () => 'f exists',
};

const FIELDS: readonly CriteriaField[] = [
  ...(Object.keys(VALUES) as CriteriaFieldType[]).map((type) => ({ name: 'f', type, multi: false })),
  { name: 'f', type: 'text', multi: false, exact: true },
  { name: 'f', type: 'integer', multi: true },
  { name: 'f', type: 'keyword', multi: true },
];

describe('the operators of a field', () => {
  it.each(FIELDS)('are those that the checker accepts, in their order: $type, exact $exact, multi $multi', (field) => {
    const outcomes = CRITERIA_OPERATORS.map((operator) => {
      const compiled = compile(USES[operator](...VALUES[field.type]), criteriaFields([field]));
      return { operator, codes: compiled.ok ? [] : compiled.errors.map(({ code }) => code) };
    });
    const accepted = outcomes.filter(({ codes }) => codes.length === 0).map(({ operator }) => operator);
    expect(operatorsOf(field)).toEqual(accepted);
    expect(outcomes.flatMap(({ codes }) => codes).filter((code) => !code.endsWith('_NOT_ALLOWED'))).toEqual([]);
  });
});
