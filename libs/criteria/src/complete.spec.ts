import { completionsAt } from './complete.js';
import { compile } from './criteria.js';
import { golden, goldenFields } from './testing/golden.js';

const TEXTS = [...new Set(golden.valid.map(({ canonical }) => canonical))].filter(
  (text, at) => at % 4 === 0 && text.length <= 80,
);
const inserts = (text: string, caret = text.length) =>
  completionsAt(text, caret, goldenFields).tokens.map(({ insert }) => insert);

/** The words and signs of a text outside quotes, with their places. */
function* tokensOf(text: string): Generator<{ token: string; at: number }> {
  const plain = text.replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => '"'.repeat(quoted.length));
  for (const { 0: token, index: at } of plain.matchAll(/[A-Za-z]\w*|[<>=!:]+|[()]/g)) yield { token, at };
}

describe('the completions at a caret', () => {
  it('offer the next word or sign of every valid text', () => {
    const known = new Set([
      ...goldenFields.list.map(({ name }) => name),
      ...['and', 'or', 'not', 'exists', 'like', '=', '>', '>=', '<', '<=', '('],
    ]);
    const missed = TEXTS.flatMap((text) =>
      [...tokensOf(text)]
        .filter(({ token }) => known.has(token))
        .filter(({ token, at }) => !inserts(text, at).includes(token))
        .map(({ token, at }) => `${text.slice(0, at)}|${token}`),
    );
    expect(missed).toEqual([]);
  });

  it('begin valid criteria, at every caret of every text', () => {
    for (const text of TEXTS.filter((_, at) => at % 3 === 0)) {
      for (let caret = 0; caret <= text.length; caret += 4) {
        for (const { insert, from } of completionsAt(text, caret, goldenFields).tokens) {
          const begun = text.slice(0, from) + insert;
          expect([begun, isBegun(begun)]).toEqual([begun, true]);
        }
      }
    }
  });

  it('offer what joins a condition to the next one before anything else', () => {
    expect(inserts('rating > 3 ').slice(0, 2)).toEqual(['and', 'or']);
  });

  it.each([
    ['', ['name', 'not', '('], ['and', '=', ')']],
    ['na', ['name'], ['rating', 'not', '=']],
    ['rating ', ['>=', 'exists', 'between', 'is not null'], ['like', 'and', 'name']],
    ['rating >', ['>='], ['like', 'and']],
    ['rating > 3 ', ['and', 'or'], ['>', ')', 'exists']],
    ['(rating > 3', [')'], []],
    ['rating > 3 and n', ['name', 'not'], ['and']],
    ['name = "a and ', [], ['name', 'and']],
    ['ticker = BC', [], ['name', 'and']],
    ['nonsense ? ', [], ['and', 'name']],
  ])('at the end of %j', (text, some, none) => {
    const offered = inserts(text);
    expect(offered).toEqual(expect.arrayContaining(some));
    expect(offered.filter((insert) => none.includes(insert))).toEqual([]);
  });

  it.each([
    ['ticker = ', 'ticker', 9, ''],
    ['ticker: BC', 'ticker', 8, 'BC'],
    ['ticker in ("BCT", "N', 'ticker', 18, 'N'],
    ['rating >= 4 and source:', 'source', 23, ''],
  ])('name the field whose values may stand at the end of %j', (text, name, from, typed) => {
    const { values } = completionsAt(text, text.length, goldenFields);
    expect(values).toContainEqual({ field: expect.objectContaining({ name }), from, typed });
  });

  it('are found within milliseconds', () => {
    const text = 'not (source: TOUCAN and rating >= 2) and ticker in ("BCT", "NCT") or name: "a b" and ';
    completionsAt(text, text.length, goldenFields);
    const begin = process.cpuUsage();
    for (let run = 0; run < 10; run++) completionsAt(text, text.length, goldenFields);
    expect(process.cpuUsage(begin).user / 10_000).toBeLessThan(60);
  });
});

/** By other endings than the library tries. */
function isBegun(begun: string): boolean {
  const open = begun.replace(/"(?:[^"\\]|\\.)*"/g, '');
  const closing = ')'.repeat(Math.max(0, open.split('(').length - open.split(')').length));
  const values = ['"y"', '7', '8888888', '2021-02-03', '9998-01-01', 'false', `0x${'1'.repeat(40)}`];
  const endings = ['', ' exists', ' null', ' not null', ...values.flatMap((v) => [` ${v}`, ` (${v})`, ` in (${v})`])];
  const joined = values.flatMap((v) => [` ${v} and ${v}`, ` and ${v}`, ` ${v} TO ${v}]`, ` TO ${v}]`, ` ${v}]`, v]);
  return [...endings, ...joined, ' name exists'].some((end) => compile(begun + end + closing, goldenFields).ok);
}
