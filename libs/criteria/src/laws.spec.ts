import fc from 'fast-check';
import { wholePattern } from './check/patterns.js';
import type { CheckedNode } from './check/typed-tree.js';
import { printCriteria } from './compile/print-criteria.js';
import { compile } from './criteria.js';
import {
  anyOperands,
  anyPredicate,
  anyWritten,
  DOCUMENTS,
  select,
  selectByMeaning,
  treeOf,
} from './testing/criteria.js';
import { randomFields } from './testing/golden.js';
import { CRITERIA_ORDERED, CRITERIA_PATTERNS } from './testing/values.js';

/** A field with an order, and two different literals of its type, the lower one first. */
const anyBounds = fc
  .constantFrom(...randomFields.list.filter(({ type }) => type in CRITERIA_ORDERED))
  .chain(({ name, multi, type }) => {
    const pool = CRITERIA_ORDERED[type as keyof typeof CRITERIA_ORDERED];
    const places = fc.uniqueArray(fc.nat(pool.length - 1), { minLength: 2, maxLength: 2 });
    return places.map((drawn) => {
      const [low, high] = drawn.map((place) => pool[place] ?? pool[0]).sort((a, b) => a.from - b.from || a.to - b.to);
      const gap = type === 'integer' ? 1 : 0;
      return {
        name,
        multi,
        from: low?.texts[0],
        to: high?.texts[0],
        isApart: (low?.to ?? 0) + gap < (high?.from ?? 0),
      };
    });
  });

const anyText = anyWritten.map(({ text }) => text);
const same = (left: string, right: string) => expect([left, select(left)]).toEqual([left, select(right)]);

/** The range selects the same as the comparisons for one value, and nothing else for several values. */
function expectWithin(range: string, comparisons: string, multi: boolean): void {
  if (!multi) same(range, comparisons);
  const all = select(comparisons);
  expect([range, select(range).filter((id) => !all.includes(id))]).toEqual([range, []]);
}

describe('the laws of the language', () => {
  it('gives a text the meaning it was generated for, in every spelling', () => {
    fc.assert(
      fc.property(anyWritten, ({ text, meaning }) => {
        expect([text, select(text)]).toEqual([text, selectByMeaning(meaning)]);
      }),
      { numRuns: 500 },
    );
  });

  it('makes every negated spelling the exact complement of the plain one', () => {
    fc.assert(
      fc.property(anyOperands('whole'), ({ name, operands: [{ text }, { text: other }] }) => {
        same(`${name} != ${text}`, `not (${name} = ${text})`);
        same(`${name} not in (${text}, ${other})`, `not (${name} in (${text}, ${other}))`);
        same(`${name} is null`, `not (${name} exists)`);
        same(`${name} not exists`, `not (${name} is not null)`);
      }),
    );
  });

  it('makes not like, and not between, the complement too', () => {
    for (const pattern of CRITERIA_PATTERNS.whole.keyword.filter((text) => /^[\w*?]+$/.test(text))) {
      same(`ticker not like ${pattern}`, `not (ticker like ${pattern})`);
      same(`ticker not like "${pattern}"`, `not (ticker = ${pattern})`);
    }
    fc.assert(
      fc.property(anyBounds, ({ name, from, to }) => {
        same(`${name} not between ${from} and ${to}`, `not (${name} between ${from} and ${to})`);
      }),
    );
  });

  it('puts every document on exactly one side of a condition, and one without the field only on the negated side', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const both = [...select(text), ...select(`not (${text})`)];
        expect(both.sort()).toEqual(DOCUMENTS.map(({ id }) => id).sort());
      }),
    );
    fc.assert(
      fc.property(anyOperands('whole'), ({ name, operands: [{ text, meaning }] }) => {
        const without = new Set(meaning.kind === 'not' ? [] : select(`${name} is null`));
        expect([text, select(`${name} = ${text}`).filter((id) => without.has(id))]).toEqual([text, []]);
      }),
      { numRuns: 300 },
    );
  });

  it('follows De Morgan, and ignores the order, grouping and repetition of joined terms', () => {
    fc.assert(
      fc.property(anyText, anyText, anyPredicate, fc.constantFrom('and', 'or'), (a, b, c, connector) => {
        const dual = connector === 'and' ? 'or' : 'and';
        same(`not ((${a}) ${connector} (${b}))`, `not (${a}) ${dual} not (${b})`);
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
      fc.property(anyBounds, ({ name, multi, from, to, isApart }) => {
        expectWithin(`${name}:${from}..${to}`, `${name} >= ${from} and ${name} <= ${to}`, multi);
        same(`${name}:${from}..${to}`, `${name}:[${from} TO ${to}]`);
        same(`${name}:${from}..${to}`, `${name} between ${from} and ${to}`);
        if (isApart) expectWithin(`${name}:{${from} TO ${to}}`, `${name} > ${from} and ${name} < ${to}`, multi);
      }),
      { numRuns: 300 },
    );
  });

  it('makes an interval without one bound the same as a comparison', () => {
    fc.assert(
      fc.property(anyBounds, ({ name, from }) => {
        same(`${name}:[${from} TO *]`, `${name} >= ${from}`);
        same(`${name}:{${from} TO *}`, `${name} > ${from}`);
        same(`${name}:[* TO ${from}]`, `${name} <= ${from}`);
        same(`${name}:{* TO ${from}}`, `${name} < ${from}`);
        same(`${name} = ${from}`, `${name}:[${from} TO ${from}]`);
      }),
    );
  });

  it('makes a list the same as equalities joined by or', () => {
    fc.assert(
      fc.property(anyOperands('whole'), ({ name, operands: [{ text }, { text: other }] }) => {
        same(`${name} in (${text}, ${other})`, `${name} = ${text} or ${name} = ${other}`);
        same(`${name} = (${text}, ${other})`, `${name} = ${text} or ${name} = ${other}`);
      }),
    );
    fc.assert(
      fc.property(anyOperands('words'), ({ name, operands: [{ text }, { text: other }] }) => {
        same(`${name}:(${text}, ${other})`, `${name}:${text} or ${name}:${other}`);
      }),
    );
  });

  it('applies the field and its operator to each value of a group', () => {
    const applied = fc.oneof(
      anyOperands('words').map((drawn) => ({ ...drawn, equals: ':' })),
      anyOperands('whole').map((drawn) => ({ ...drawn, equals: '=' })),
    );
    fc.assert(
      fc.property(applied, ({ name, equals, operands: [{ text }, { text: other }] }) => {
        const [one, two] = [`${name}${equals}${text}`, `${name}${equals}${other}`];
        same(`${name}${equals}(${text} and not ${other})`, `${one} and not ${two}`);
        same(`${name}${equals}(not (${text} or ${other}))`, `not ${one} and not ${two}`);
        same(`${name}${equals}(${text} or ${other} and ${text})`, `${one} or (${two} and ${one})`);
      }),
    );
  });
});

/** Returns every object in a query, including itself. */
function partsOf(part: unknown): Record<string, unknown>[] {
  if (typeof part !== 'object' || part === null) return [];
  const inner = Object.values(part).flatMap(partsOf);
  return Array.isArray(part) ? inner : [part as Record<string, unknown>, ...inner];
}

/** Finds an optional `should`, and empty containers, which select everything. */
function isMisread(part: Record<string, unknown>): boolean {
  const isOptional = 'should' in part && Object.keys(part).sort().join() !== 'minimum_should_match,should';
  const isEmpty = ([name, value]: [string, unknown]) =>
    name !== 'match_all' && ['[]', '{}'].includes(JSON.stringify(value));
  return isOptional || Object.entries(part).some(isEmpty);
}

describe('the compiled form of any criteria', () => {
  it('is one canonical form, which reads back to the same query and prints as itself', () => {
    fc.assert(
      fc.property(anyWritten, ({ text }) => {
        const first = compile(text, randomFields);
        if (!first.ok) return;
        const wide = { length: 1_000_000, depth: 100 };
        expect([text, compile(first.canonical, randomFields, wide)]).toEqual([text, first]);
      }),
      { numRuns: 500 },
    );
  });

  it('is a query without a clause that the index would read otherwise', () => {
    fc.assert(
      fc.property(anyWritten, ({ text }) => {
        const compiled = compile(text, randomFields);
        expect([text, compiled.ok ? partsOf(compiled.query).filter(isMisread) : []]).toEqual([text, []]);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps any finite number, and any text of a value or within a pattern, when it is printed', () => {
    const field = { name: 'ticker', type: 'keyword', multi: false } as const;
    const reads = (node: CheckedNode) => expect(treeOf(printCriteria(node))).toMatchObject(node);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const value = text.toWellFormed().normalize('NFC');
        reads({ kind: 'equal', field, value });
        const pattern = `a*${wholePattern(value.replaceAll(/[\\*?]/g, '\\$&'))}`;
        reads({ kind: 'pattern', field, on: 'whole', pattern });
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        reads({ kind: 'equal', field: { name: 'rating', type: 'number', multi: false }, value: number + 0 });
      }),
    );
  });
});
