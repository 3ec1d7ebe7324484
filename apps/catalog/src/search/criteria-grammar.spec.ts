import { readFileSync } from 'node:fs';
import { parseCriteria } from '@carbon/criteria';
import { seeded } from '@carbon/criteria/golden';
import { Grammar, type Lexicon, type Terminals } from '../testing/grammar.js';

const SENTENCES = 5_000;

const PAGE = readFileSync(new URL('../../../../docs/criteria.md', import.meta.url), 'utf8');
const [, TEXT = ''] = /^```ebnf\n([\s\S]*?)^```$/m.exec(PAGE) ?? [];
const LEXICON: Lexicon = {
  field: ['ticker', 'Rating', 'name', 'nothing'],
  word: ['BCT', '3', '-1.5', '2020-05-18T09:30', 'T*', 'a\\ b', 'T-VER', '5e3', 'between', 'É'],
  string: ['"a b"', "'x'", '""', '"say ""x"""', "'\\u00e9'", '"and"'],
};
const GRAMMAR = new Grammar(TEXT);

const RESERVED = /^(and|or|not)$/i;
const RANGE = /(?<!\\)\.\./;
const isWord = (symbol: string) => /^[^()[\]{},:=!<>"'&|]+$|T\d\d:/.test(symbol) && !RESERVED.test(symbol);

/** The terminals of a symbol without knowledge of the fields: any name may be a field, and keywords may be values. */
const TERMINALS: Terminals = {
  field: (symbol) => /^[\p{L}\d_.-]+$/u.test(symbol) && !RESERVED.test(symbol),
  word: (symbol) => isWord(symbol) && !RANGE.test(symbol) && symbol !== '-',
  string: (symbol) => /^["']/.test(symbol) && !RANGE.test(symbol),
  range: (symbol) => RANGE.test(symbol),
};
const draw = (choose: (below: number) => number) => GRAMMAR.draw('criteria', choose, LEXICON, 'range');
const accepts = (symbols: readonly string[]) => GRAMMAR.accepts('criteria', symbols, TERMINALS);
const SYMBOLS = [
  ...new Set(Array.from(TEXT.matchAll(/"([^"]+)"/g), ([, symbol = '']) => symbol)),
  'ticker',
  '3',
  '"a b"',
];

/** Rules that the page states in words and the grammar omits. */
const LEFT_OUT = ['mixedOr', 'bound', 'depth', 'clauses', 'length'];

function outcomeOf(text: string): string {
  const parsed = parseCriteria(text);
  return parsed.ok ? 'read' : parsed.failure.rule;
}

const joinSymbols = (symbols: readonly string[]) => symbols.join(' ').replace(/(?<!\S)- /g, '-');

/** Returns a sentence with one to three of its symbols removed, inserted or changed. */
function damage(sentence: readonly string[], choose: (below: number) => number): readonly string[] {
  const symbols = [...sentence];
  for (let left = 1 + choose(3); left > 0; left--) {
    const other = SYMBOLS[choose(SYMBOLS.length)] ?? '';
    const put = choose(3) === 0 ? [] : [other];
    symbols.splice(choose(symbols.length + 1), choose(2), ...put);
  }
  return symbols;
}

describe('the grammar on docs/criteria.md', () => {
  it('generates only sentences that are parsed, except for what the page says it omits', () => {
    const choose = seeded(20_261_121);
    const texts = Array.from({ length: SENTENCES }, () => joinSymbols(draw(choose)));
    const outcomes = texts.map((text) => ({ text, outcome: outcomeOf(text) }));
    expect(outcomes.filter(({ outcome }) => outcome !== 'read' && !LEFT_OUT.includes(outcome))).toEqual([]);
    expect(outcomes.filter(({ outcome }) => outcome === 'read').length).toBeGreaterThan(SENTENCES / 2);
  });

  it.each([
    'ticker : ( ( BCT ) , NCT )',
    'ticker != ( BCT )',
    'ticker in BCT',
    'not',
    'ticker > * and',
    'ticker : and',
  ])('does not contain %s', (text) => {
    expect(accepts(text.split(' '))).toBe(false);
  });

  it('contains every text that is parsed', () => {
    const choose = seeded(20_261_122);
    const sentences = Array.from({ length: SENTENCES }, () => draw(choose));
    expect(sentences.filter((sentence) => !accepts(sentence)).map(joinSymbols)).toEqual([]);
    const read = sentences
      .map((sentence) => damage(sentence, choose))
      .filter((symbols) => outcomeOf(joinSymbols(symbols)) === 'read');
    expect(read.length).toBeGreaterThan(SENTENCES / 20);
    expect(read.filter((symbols) => !accepts(symbols)).map(joinSymbols)).toEqual([]);
  });
});
