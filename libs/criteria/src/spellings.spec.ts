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

  it('differs between : and = on text alone', () => {
    expect(compiled('name:"carbon"')).not.toEqual(compiled('name = "carbon"'));
    expect(compiled('registry:"Verra"')).toEqual(compiled('registry = "Verra"'));
  });

  it('takes keywords as values, and only whole words as keywords', () => {
    expect(compiled('country in (in, IS, to, like, exists, between, eq)')).toMatchObject({ ok: true });
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
