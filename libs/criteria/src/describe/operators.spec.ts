import { compile } from '../compile.js';
import { type CriteriaField, type CriteriaFieldType, criteriaFields } from '../fields.js';
import { CRITERIA_OPERATORS, type CriteriaOperator, operatorsOf } from './operators.js';

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

const CASES = FIELDS.flatMap((field) => CRITERIA_OPERATORS.map((operator) => ({ field, operator, ...field })));

describe('the operators of a field', () => {
  it.each(CASES)(
    'are those the checker accepts ($type, exact: $exact, multi: $multi, $operator)',
    ({ field, operator }) => {
      const compiled = compile(USES[operator](...VALUES[field.type]), criteriaFields([field]));
      const listed = operatorsOf(field).includes(operator);
      expect(compiled).toMatchObject(
        listed ? { ok: true } : { ok: false, errors: [{ code: expect.stringMatching(/_NOT_ALLOWED$/) }] },
      );
    },
  );

  it('stand in one order', () => {
    for (const field of FIELDS) {
      const operators = operatorsOf(field);
      expect(operators).toEqual(CRITERIA_OPERATORS.filter((operator) => operators.includes(operator)));
    }
  });
});
