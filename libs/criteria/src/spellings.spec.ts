import fc from 'fast-check';
import { compile } from './criteria.js';
import { golden, goldenFields } from './testing/golden.js';

const compiled = (text: string) => {
  const result = compile(text, goldenFields, { depth: 40 });
  return result.ok ? result : result.errors;
};

/** A condition, and other spellings of it. */
const SPELLINGS: readonly (readonly [plain: string, ...others: string[]])[] = [
  ['ticker = "BCT"', 'ticker:BCT', 'ticker=BCT', 'ticker==BCT', 'ticker:=BCT', 'ticker eq BCT', 'ticker EQ BCT'],
  ['ticker = "BCT"', 'ticker : BCT', 'ticker:"BCT"'],
  ['not ticker = "BCT"', 'ticker!=BCT', 'ticker<>BCT', 'ticker:!=BCT', 'ticker ne BCT', 'ticker Ne BCT'],
  ['not ticker = "BCT"', 'NOT ticker:BCT', '!ticker:BCT', '! ticker:BCT', '-ticker:BCT', 'not(ticker:BCT)'],
  ['rating > 3', 'rating>3', 'rating:>3', 'rating gt 3', 'rating GT 3', 'rating : > 3'],
  ['rating >= 3', 'rating>=3', 'rating:>=3', 'rating ge 3', 'rating gte 3'],
  ['rating < 3', 'rating<3', 'rating:<3', 'rating lt 3'],
  ['rating <= 3', 'rating<=3', 'rating:<=3', 'rating le 3', 'rating lte 3'],
  ['ticker:BCT and rating>3', 'ticker:BCT AND rating>3', 'ticker:BCT && rating>3', 'ticker:BCT  rating>3'],
  ['ticker in (BCT, NCT)', 'ticker:(BCT, NCT)', 'ticker = (BCT or NCT)', 'ticker IN [BCT, NCT]', 'ticker:(BCT||NCT)'],
  ['ticker not in (BCT, NCT)', 'not ticker:(BCT or NCT)', '-ticker:(BCT, NCT)', 'ticker NOT IN ["BCT",\'NCT\']'],
  ['rating:3..4', 'rating:[3 TO 4]', 'rating = [3..4]', 'rating between 3 and 4', 'rating BETWEEN 3 && 4'],
  ['rating not between 3 and 4', 'rating != 3..4', 'rating <> [3 to 4]', '!rating:3..4'],
  ['rating:3..', 'rating >= 3', 'rating:[3 TO *]', 'rating:[3 TO *}', 'rating:3..*'],
  ['rating < 4', 'rating:[* TO 4}', 'rating:{*..4}'],
  [
    'rating is null',
    'rating = null',
    'rating:NULL',
    'rating not exists',
    'rating IS NULL',
    'not rating:*',
    'rating != *',
  ],
  ['rating is not null', 'rating != null', 'rating exists', 'rating:*', 'rating Is Not Null', 'not rating is null'],
  ['ticker:B*', 'ticker like "B*"', "ticker LIKE 'B*'", 'ticker like B*', 'ticker = B*', 'ticker in (B*)'],
  ['ticker not like "B*"', 'ticker != B*', 'not ticker:B*', 'ticker not in (B*)'],
  ['name like "Base*"', 'name = Base*', 'name in (Base*)', 'name:=Base*'],
  ['name like "Base"', 'name = Base', 'name eq "Base"'],
  ['sdgs:(13 and not 7)', 'sdgs:13 and not sdgs:7', 'sdgs = (13 && not 7)', 'sdgs:13 -sdgs:7'],
  ['registry = "Verra"', 'registry:"Verra"'],
  ['registry = Ver*', 'registry:Ver*'],
];

describe('spellings of the same condition', () => {
  it('are read the same way', () => {
    const read = SPELLINGS.flatMap(([, ...others]) => others.map((other) => [other, compiled(other)]));
    const meant = SPELLINGS.flatMap(([plain, ...others]) => others.map((other) => [other, compiled(plain)]));
    expect(read).toEqual(meant);
    expect(SPELLINGS.filter(([plain]) => Array.isArray(compiled(plain)))).toEqual([]);
  });

  it('differ between : and = on text alone', () => {
    expect(compiled('name:"carbon"')).not.toEqual(compiled('name = "carbon"'));
    expect(compiled('name:car*')).not.toEqual(compiled('name = car*'));
  });

  it('take keywords as values, and only whole words as keywords', () => {
    expect(compiled('country in (in, IS, to, like, exists, between, eq)')).toMatchObject({ ok: true });
    expect(compiled('country:(is or to or like)')).toMatchObject({ ok: true });
    expect(compiled('source:order or source:android or source:not-x')).toMatchObject({ ok: true });
  });

  it('never give a value its type', () => {
    expect(compiled('ticker:007')).toMatchObject({ query: { term: { ticker: { value: '007' } } } });
    expect(compiled('rating:"007"')).toMatchObject({ query: { term: { rating: { value: 7 } } } });
  });

  it('may have more parentheses and white space', () => {
    const blanks = fc.constantFrom(' ', '\t', '\n', '\r\n', '\u00a0', '  ');
    const examples = fc.constantFrom(...golden.valid.filter(({ criteria }) => criteria.trim() !== ''));
    fc.assert(
      fc.property(examples, blanks, ({ criteria }, blank) => {
        expect(compiled(`${blank}(${blank}${criteria}${blank})${blank}`)).toEqual(compiled(criteria));
      }),
    );
  });
});
