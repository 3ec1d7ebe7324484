import { clausesOf, compile, criteriaFields } from './index.js';

const FIELDS = criteriaFields([
  { name: 'country', type: 'keyword', multi: false, exact: false, sortable: true },
  { name: 'name', type: 'text', multi: false, exact: true, sortable: true },
  { name: 'price', type: 'number', multi: false, exact: false, sortable: true },
]);
const textsOf = (text: string) => clausesOf(text, FIELDS).map((clause) => clause.text);

describe('the clauses of criteria', () => {
  it('are the conditions joined with `and`, however they are nested and spelled', () => {
    expect(textsOf('country:A (price<5 AND (name:b and -country:"C"))')).toEqual([
      'country = "A"',
      'price < 5',
      'name:"b"',
      'not country = "C"',
    ]);
    expect(textsOf('country:A or price<5')).toEqual(['country = "A" or price < 5']);
  });

  it('are none without conditions or of invalid criteria', () => {
    for (const text of ['', ' ', '*', 'country:', 'tiker:B']) expect(textsOf(text)).toEqual([]);
  });

  it('read back to the same query', () => {
    for (const { text, query } of clausesOf(
      'country in (A, B) and not (price > 3 or name:x*) and country like "a?b"',
      FIELDS,
    )) {
      expect(compile(text, FIELDS)).toMatchObject({ ok: true, query, canonical: text });
    }
  });

  it('name the texts that they compare whole values with, each once, and none that they negate', () => {
    const criteria =
      '(country in (A, B, A) or name = "whole" or name:word or price = 3 or country like "C\\*d*" or not country:E)';
    expect(clausesOf(criteria, FIELDS)[0]?.values).toEqual([
      { field: 'country', value: 'A' },
      { field: 'country', value: 'B' },
      { field: 'name', value: 'whole' },
      { field: 'country', value: 'C*d*' },
    ]);
  });
});
