import fc from 'fast-check';
import { randomCriteria, randomPredicate } from './reference/generate.js';
import { goldenFields } from './reference/golden.js';
import type { Choose } from './reference/random.js';
import { spellValue } from './reference/spellings.js';
import { DOCUMENTS, select } from './reference/test-select.js';
import { ASKED } from './reference/values.js';

/** Texts drawn through fast-check, so that it can repeat and shorten what failed. */
const drawn = (draw: (choose: Choose) => string) =>
  fc.gen().map((generate) => draw((below) => generate(fc.nat, { max: below - 1 })));

const anyCriteria = drawn((choose) => randomCriteria(choose, goldenFields, 2));
const anyPredicate = drawn((choose) => randomPredicate(choose, goldenFields));

/** A field that takes equality, and two of its values as written. */
const anyEquality = fc.gen().map((generate) => {
  const choose: Choose = (below) => generate(fc.nat, { max: below - 1 });
  const fields = goldenFields.list.filter(({ name }) => name !== 'description');
  const field = fields[choose(fields.length)] ?? fields[0];
  const pool = ASKED[field?.type ?? 'keyword'];
  const value = () => spellValue(choose, pool[choose(pool.length)] ?? '');
  return { name: field?.name ?? '', value: value(), other: value() };
});

/** A field with an order, and two of its values with the lower one first. */
const anyBounds = fc.gen().map((generate) => {
  const choose: Choose = (below) => generate(fc.nat, { max: below - 1 });
  const fields = goldenFields.list.filter(({ type }) => ['number', 'integer', 'date'].includes(type));
  const field = fields[choose(fields.length)];
  const pool = ASKED[field?.type ?? 'number'];
  const low = choose(pool.length);
  const [from, to] = [pool[low], pool[low + choose(pool.length - low)]];
  return { name: field?.name ?? '', multi: field?.multi ?? false, from, to };
});

const same = (left: string, right: string) => expect([left, select(left)]).toEqual([left, select(right)]);

describe('the laws of the language', () => {
  it('makes every negated spelling the exact complement of the plain one', () => {
    fc.assert(
      fc.property(anyEquality, ({ name, value, other }) => {
        same(`${name} != ${value}`, `not (${name} = ${value})`);
        same(`${name} not in (${value}, ${other})`, `not (${name} in (${value}, ${other}))`);
        same(`${name} not exists`, `not (${name} exists)`);
      }),
    );
  });

  it('puts every document on exactly one side of a condition', () => {
    fc.assert(
      fc.property(anyCriteria, (text) => {
        const both = [...select(text), ...select(`not (${text})`)];
        expect(both.sort()).toEqual(DOCUMENTS.map(({ id }) => id).sort());
      }),
    );
  });

  it('follows De Morgan', () => {
    fc.assert(
      fc.property(anyCriteria, anyCriteria, (a, b) => {
        same(`not ((${a}) and (${b}))`, `not (${a}) or not (${b})`);
        same(`not ((${a}) or (${b}))`, `not (${a}) and not (${b})`);
      }),
    );
  });

  it('does not care for order, grouping and repetition of what is joined alike', () => {
    fc.assert(
      fc.property(anyCriteria, anyCriteria, anyPredicate, fc.constantFrom('and', 'or'), (a, b, c, connector) => {
        same(`(${a}) ${connector} (${b})`, `(${b}) ${connector} (${a})`);
        same(`((${a}) ${connector} (${b})) ${connector} ${c}`, `(${a}) ${connector} ((${b}) ${connector} ${c})`);
        same(`(${a}) ${connector} (${a})`, a);
      }),
    );
  });

  it('binds and tighter than or, and not tighter than both', () => {
    fc.assert(
      fc.property(anyPredicate, anyPredicate, anyPredicate, (a, b, c) => {
        same(`${a} or ${b} and ${c}`, `${a} or (${b} and ${c})`);
        same(`not ${a} and ${b}`, `(not ${a}) and ${b}`);
        same(`${a} ${b}`, `${a} and ${b}`);
      }),
    );
  });

  it('makes a range the same as its two comparisons where there is one value, and never wider', () => {
    fc.assert(
      fc.property(anyBounds, ({ name, multi, from, to }) => {
        const range = select(`${name}:${from}..${to}`);
        const comparisons = select(`${name} >= ${from} and ${name} <= ${to}`);
        expect(multi ? comparisons : range).toEqual(expect.arrayContaining([...(multi ? range : comparisons)]));
        if (!multi) expect(range).toEqual(comparisons);
      }),
    );
  });

  it('lets no comparison hold for a document without the field', () => {
    fc.assert(
      fc.property(anyEquality, ({ name, value }) => {
        const having = select(`${name} exists`);
        expect(having).toEqual(expect.arrayContaining([...select(`${name} = ${value}`)]));
      }),
    );
  });

  it('makes a list the same as equalities joined by or', () => {
    fc.assert(
      fc.property(anyEquality, ({ name, value, other }) => {
        same(`${name} in (${value}, ${other})`, `${name} = ${value} or ${name} = ${other}`);
      }),
    );
  });
});
