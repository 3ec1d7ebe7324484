import fc from 'fast-check';
import { compile } from './compile.js';
import { golden, goldenFields } from './reference/golden.js';

const compiled = (text: string) => {
  const result = compile(text, goldenFields, { depth: 40 });
  return result.ok ? result : result.errors;
};

describe('spellings of the same condition', () => {
  it.each([':', '=', '==', ':=', ' eq ', ' EQ ', ' : '])('reads %j as equality', (operator) => {
    expect(compiled(`ticker${operator}BCT`)).toEqual(compiled('ticker = "BCT"'));
  });

  it.each(['!=', '<>', ':!=', ' ne ', ' Ne '])('reads %j as difference', (operator) => {
    expect(compiled(`ticker${operator}BCT`)).toEqual(compiled('not ticker = "BCT"'));
  });

  it.each([
    ['>', ['>', ':>', ' gt ', ' GT ', ' : > ']],
    ['>=', ['>=', ':>=', ' ge ', ' gte ']],
    ['<', ['<', ':<', ' lt ']],
    ['<=', ['<=', ':<=', ' le ', ' lte ']],
  ])('reads every spelling of %s alike', (plain, spellings) => {
    for (const spelling of spellings) expect(compiled(`rating${spelling}3`)).toEqual(compiled(`rating ${plain} 3`));
  });

  it.each(['and', 'AND', '&&', ''])('joins by %j', (connector) => {
    expect(compiled(`ticker:BCT ${connector} rating>3`)).toEqual(compiled('ticker = "BCT" and rating > 3'));
  });

  it.each(['not ', 'NOT ', '!', '! ', '-', 'not('])('negates by %j', (sign) => {
    const close = sign.endsWith('(') ? ')' : '';
    expect(compiled(`${sign}ticker:BCT${close}`)).toEqual(compiled('not ticker = "BCT"'));
  });

  it.each([
    [
      'ticker in (BCT, NCT)',
      ['ticker:(BCT, NCT)', 'ticker = (BCT or NCT)', 'ticker IN [BCT, NCT]', 'ticker:(BCT||NCT)'],
    ],
    ['ticker not in (BCT, NCT)', ['not ticker:(BCT or NCT)', '-ticker:(BCT, NCT)', 'ticker NOT IN ["BCT",\'NCT\']']],
    ['rating:3..4', ['rating:[3 TO 4]', 'rating = [3..4]', 'rating between 3 and 4', 'rating BETWEEN 3 && 4']],
    ['rating not between 3 and 4', ['rating != 3..4', 'rating <> [3 to 4]', '!rating:3..4']],
    ['rating:3..', ['rating >= 3', 'rating:[3 TO *]', 'rating:[3 TO *}', 'rating:3..*']],
    ['rating < 4', ['rating:[* TO 4}', 'rating:{*..4}']],
    [
      'rating is null',
      ['rating = null', 'rating:NULL', 'rating not exists', 'rating IS NULL', 'not rating:*', 'rating != *'],
    ],
    ['rating is not null', ['rating != null', 'rating exists', 'rating:*', 'rating Is Not Null', 'not rating is null']],
    ['ticker:B*', ['ticker like "B*"', "ticker LIKE 'B*'", 'ticker like B*', 'ticker = B*', 'ticker in (B*)']],
    ['ticker not like "B*"', ['ticker != B*', 'not ticker:B*', 'ticker not in (B*)']],
    ['name like "Base*"', ['name = Base*', 'name in (Base*)', 'name:=Base*']],
    ['name like "Base"', ['name = Base', 'name eq "Base"']],
    ['sdgs:(13 and not 7)', ['sdgs:13 and not sdgs:7', 'sdgs = (13 && not 7)', 'sdgs:13 -sdgs:7']],
  ])('reads every spelling of %s alike', (plain, spellings) => {
    for (const spelling of spellings) expect([spelling, compiled(spelling)]).toEqual([spelling, compiled(plain)]);
  });

  it('differs between : and = on text alone', () => {
    expect(compiled('name:"carbon"')).not.toEqual(compiled('name = "carbon"'));
    expect(compiled('registry:"Verra"')).toEqual(compiled('registry = "Verra"'));
    expect(compiled('name:car*')).not.toEqual(compiled('name = car*'));
    expect(compiled('registry:Ver*')).toEqual(compiled('registry = Ver*'));
  });

  it('takes keywords as values, and only whole words as keywords', () => {
    expect(compiled('country in (in, IS, to, like, exists, between, eq)')).toMatchObject({ ok: true });
    expect(compiled('country:(is or to or like)')).toMatchObject({ ok: true });
    expect(compiled('source:order or source:android or source:not-x')).toMatchObject({ ok: true });
  });

  it('never takes the type of a value from its spelling', () => {
    expect(compiled('ticker:007')).toMatchObject({ query: { term: { ticker: { value: '007' } } } });
    expect(compiled('rating:"007"')).toMatchObject({ query: { term: { rating: { value: 7 } } } });
  });

  it('reads every example alike with more parentheses and white space', () => {
    const space = fc.constantFrom(' ', '\t', '\n', '\r\n', '\u00a0', '  ');
    fc.assert(
      fc.property(
        fc.constantFrom(...golden.valid.filter(({ criteria }) => criteria.trim() !== '')),
        space,
        ({ criteria }, blank) => {
          expect(compiled(`${blank}(${blank}${criteria}${blank})${blank}`)).toEqual(compiled(criteria));
        },
      ),
    );
  });
});
