import { parseCriteria } from '@carbon/criteria';
import { seeded } from '@carbon/criteria/golden';
import { blocksOf, textOf } from './test-criteria-page.js';
import { Grammar, type Lexicon } from './test-grammar.js';

const SENTENCES = 5_000;

const [TEXT = ''] = blocksOf(textOf('docs/criteria.md'), 'ebnf');
const LEXICON: Lexicon = {
  field: ['ticker', 'Rating', 'name', 'nothing'],
  word: ['BCT', '3', '-1.5', '2020-05-18T09:30', 'T*', 'a\\ b', 'T-VER', '5e3', 'between', 'É'],
  string: ['"a b"', "'x'", '""', '"say ""x"""', "'\\u00e9'", '"and"'],
};
const GRAMMAR = new Grammar(TEXT, LEXICON, 'range');

/** What the page says in words that the grammar leaves out. */
const LEFT_OUT = ['AMBIGUOUS_OR', 'EMPTY_RANGE', 'TOO_DEEP', 'TOO_MANY_CLAUSES', 'TOO_LONG'];

function outcomeOf(text: string): string {
  const parsed = parseCriteria(text);
  return parsed.ok ? 'read' : parsed.errors.map(({ code }) => code).join();
}

describe('the grammar on docs/criteria.md', () => {
  it('makes sentences that are all read, but for what the page says it leaves out', () => {
    const choose = seeded(20_261_121);
    const texts = Array.from({ length: SENTENCES }, () =>
      GRAMMAR.draw('criteria', choose)
        .join(' ')
        .replace(/(?<!\S)- /g, '-'),
    );
    const outcomes = texts.map((text) => ({ text, outcome: outcomeOf(text) }));
    expect(outcomes.filter(({ outcome }) => outcome !== 'read' && !LEFT_OUT.includes(outcome))).toEqual([]);
    expect(outcomes.filter(({ outcome }) => outcome === 'read').length).toBeGreaterThan(SENTENCES / 2);
  });
});
