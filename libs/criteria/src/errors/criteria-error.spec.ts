import { compile } from '../compile.js';
import { criteriaFields } from '../fields.js';
import { goldenFields } from '../reference/golden.js';
import { toErrorItem } from './criteria-error.js';

const errorsOf = (text: string) => {
  const compiled = compile(text, goldenFields);
  return compiled.ok ? [] : compiled.errors;
};

describe('errors', () => {
  it('go to the wire with their parameter and a code in lower snake case', () => {
    expect(errorsOf('active:yes').map(toErrorItem)).toEqual([
      {
        field: 'criteria',
        code: 'invalid_value',
        detail: '"yes" is not a boolean',
        position: 7,
        length: 3,
        expectedType: 'boolean',
        hint: 'write true',
        allowed: ['true', 'false'],
      },
    ]);
  });

  it('name the field that was meant, and all there are', () => {
    expect(errorsOf('tiker:BCT')).toMatchObject([
      { suggestion: 'ticker', allowed: goldenFields.list.map(({ name }) => name) },
    ]);
  });

  it('say where a field of another resource is found', () => {
    expect(errorsOf('Methodologies:x')).toMatchObject([{ hint: 'methodologies is available on projects' }]);
    expect(errorsOf('Methodologies:x')[0]).not.toHaveProperty('suggestion');
  });

  it('list the mistakes of meaning first, and end with the first mistake of syntax', () => {
    expect(errorsOf('tiker:BCT and rating:high and (active:true').map(({ code }) => code)).toEqual([
      'UNKNOWN_FIELD',
      'INVALID_VALUE',
      'UNBALANCED_PAREN',
    ]);
  });

  it('are frozen', () => {
    expect(errorsOf('tiker:BCT').every(Object.isFrozen)).toBe(true);
  });
});

describe('a field list', () => {
  it('has no two names that differ in letter case alone', () => {
    const field = { type: 'keyword', multi: false } as const;
    expect(() =>
      criteriaFields([
        { ...field, name: 'a' },
        { ...field, name: 'A' },
      ]),
    ).toThrow(RangeError);
  });
});
