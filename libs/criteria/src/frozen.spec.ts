import { checkCriteria } from './check/check.js';
import { compile, queryOf } from './compile.js';
import { parseCriteria } from './parse/parse.js';
import { golden, goldenFields } from './reference/golden.js';

/** Every object and list within a value, itself included. */
function partsOf(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(partsOf)];
}

const changeable = (value: unknown) => partsOf(value).filter((part) => !Object.isFrozen(part));

describe('what leaves the package', () => {
  it.each(golden.valid)('are trees that cannot be changed: $criteria', ({ criteria }) => {
    const parsed = parseCriteria(criteria);
    expect(changeable(parsed)).toEqual([]);
    const checked = parsed.ok ? checkCriteria(parsed.value, goldenFields) : parsed;
    expect(checked.ok).toBe(true);
    expect(changeable(checked)).toEqual([]);
  });

  it.each(golden.invalid)('are mistakes that cannot be changed: $criteria', ({ criteria }) => {
    const parsed = parseCriteria(criteria);
    const checked = parsed.ok ? checkCriteria(parsed.value, goldenFields) : parsed;
    const compiled = compile(criteria, goldenFields);
    expect(compiled.ok).toBe(false);
    expect([parsed, checked, compiled, queryOf(criteria, goldenFields)].flatMap(changeable)).toEqual([]);
  });

  it.each(golden.valid)('is a query that shares nothing with any other: $criteria', ({ criteria, query }) => {
    const first = queryOf(criteria, goldenFields);
    const earlier = new Set(first.ok ? partsOf(first.value) : []);
    const second = queryOf(criteria, goldenFields);
    expect(second).toEqual({ ok: true, value: query });
    expect(second.ok && partsOf(second.value).filter((part) => earlier.has(part))).toEqual([]);
  });
});
