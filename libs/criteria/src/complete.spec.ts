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

  const TAILS = [
    '',
    'ra',
    'rating',
    'rating >= 4 ',
    'ticker = "B',
    'rating > 3 rating > 3 ',
    'rating > 3 or rating > 3 ',
  ];

  it.each([
    ['joined by and', 'rating > 3 and '],
    ['joined by or', 'rating > 3 or '],
    ['side by side', 'rating > 3 '],
    ['on lines of their own', 'rating > 3\nand '],
    ['that are ranges', 'rating between 1 and 2 and '],
    ['with quotes', 'createdAt between "2020-01-01" and "2021-01-01" and name = "a value of many letters" and '],
    ['in parentheses', '(rating > 3 or name = "a (b and") and '],
  ])('are the same behind many conditions %s, in the same time', (_, condition) => {
    // Of each the place from which a text is parsed as it is.
    for (let more = 0; more < condition.length; more += 7) {
      const [short, long] = [' '.repeat(more), condition.repeat(Math.min(200, Math.floor(3_600 / condition.length)))];
      for (const tail of TAILS.slice(0, more === 0 ? undefined : 2)) {
        expect([tail, more, offered(long + short, tail)]).toEqual([tail, more, offered(condition.repeat(2), tail)]);
      }
    }
    const begun = process.cpuUsage();
    offered(condition.repeat(Math.floor(3_600 / condition.length)), 'rating >= 4 ');
    expect(process.cpuUsage(begun).user).toBeLessThan(60_000);
  });

  it('are the same behind a blank and one long condition', () => {
    const list = (blank: string) => `${blank}ticker in (${'"ABCDEFGH", '.repeat(40)}"A")`;
    expect(offered(list(' '), ' ')).toEqual(offered(list(''), ' '));
    expect(offered(list(' '), ' or ')).toEqual(offered(list(''), ' or '));
  });

  it('are none at the limits of criteria', () => {
    const full = 'rating > 3 and '.repeat(255);
    expect(inserts(`${full}rating > 3 and `)).toEqual([]);
    expect(inserts(full)).toContain('name');
    expect(inserts(`${'name like "ab*" and '.repeat(9)}${'rating > 3 and '.repeat(20)}`)).toEqual([]);
  });

  it('are none behind a text that is too long to be parsed for each of them', () => {
    const list = `ticker in (${'"ABCDEFGH", '.repeat(300)}`;
    expect(completionsAt(list, list.length, goldenFields)).toEqual({ tokens: [], values: [] });
  });

  it('are found within milliseconds', () => {
    const text = 'not (source: TOUCAN and rating >= 2) and ticker in ("BCT", "NCT") or name: "a b" and ';
    completionsAt(text, text.length, goldenFields);
    const begin = process.cpuUsage();
    for (let run = 0; run < 10; run++) completionsAt(text, text.length, goldenFields);
    expect(process.cpuUsage(begin).user / 10_000).toBeLessThan(60);
  });
});

/** The completions of a text and a tail, with places within the tail. */
function offered(text: string, tail: string) {
  const { tokens, values } = completionsAt(text + tail, text.length + tail.length, goldenFields);
  return [tokens, values].map((list) => list.map((one) => ({ ...one, from: one.from - text.length })));
}

/** By other endings than the library tries. */
function isBegun(begun: string): boolean {
  const open = begun.replace(/"(?:[^"\\]|\\.)*"/g, '');
  const closing = ')'.repeat(Math.max(0, open.split('(').length - open.split(')').length));
  const values = ['"y"', '7', '8888888', '2021-02-03', '9998-01-01', 'false', `0x${'1'.repeat(40)}`];
  const endings = ['', ' exists', ' null', ' not null', ...values.flatMap((v) => [` ${v}`, ` (${v})`, ` in (${v})`])];
  const joined = values.flatMap((v) => [` ${v} and ${v}`, ` and ${v}`, ` ${v} TO ${v}]`, ` TO ${v}]`, ` ${v}]`, v]);
  return [...endings, ...joined, ' name exists'].some((end) => compile(begun + end + closing, goldenFields).ok);
}
