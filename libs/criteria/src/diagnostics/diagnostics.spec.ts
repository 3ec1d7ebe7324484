import fc from 'fast-check';
import { compile } from '../criteria.js';
import { eachOf } from '../testing/criteria.js';
import { goldenFields } from '../testing/golden.js';
import { toErrorItem } from './criteria-error.js';
import { editDistance, suggestField } from './field-names.js';
import { echo, snippet } from './snippet.js';

const errorsOf = (text: string) => {
  const compiled = compile(text, goldenFields);
  return compiled.ok ? [] : compiled.errors;
};

describe('errors', () => {
  it('go to the wire with their parameter and a code in lower snake case', () => {
    expect(errorsOf('active:yes').map(toErrorItem)).toEqual([
      {
        field: 'criteria',
        code: 'invalid_value',
        detail: '"yes" is not a boolean',
        position: 7,
        length: 3,
        expectedType: 'boolean',
        hint: 'write true',
        allowed: ['true', 'false'],
        rewrite: { position: 7, length: 3, text: 'true' },
      },
    ]);
  });

  it('name the field that was meant and all there are, or where a field of another resource is found', () => {
    const allowed = goldenFields.list.map(({ name }) => name);
    expect(errorsOf('tiker:BCT')).toMatchObject([{ suggestion: 'ticker', allowed }]);
    expect(errorsOf('Methodologies:x')).toMatchObject([{ hint: 'methodologies is available on projects' }]);
    expect(errorsOf('Methodologies:x')[0]).not.toHaveProperty('suggestion');
  });

  it('show no more of the text than eighty characters of any piece', () => {
    const x = 'x'.repeat(2000);
    for (const text of [`name:${x} ${x}`, `contains(${x}, ${x})`, `rating:[${x}, ${x}]`, `${x} ~ ${x}`]) {
      const hints = errorsOf(text).map(({ hint }) => hint);
      expect(String(hints).length).toBeLessThan(400);
    }
  });

  it('about a foreign comma do not concern quotes and escapes', () => {
    expect(errorsOf('ticker:BCT\\，NCT ticker:"BCT，NCT"')).toEqual([]);
    expect(compile('ticker:BCT\\，NCT', goldenFields)).toEqual(compile('ticker:"BCT，NCT"', goldenFields));
  });
});

describe('the echo of a client’s text', () => {
  it('is the plain text, cut after eighty characters and never within a surrogate pair', () => {
    const [x, tree] = ['x'.repeat(80), '🌳'.repeat(80)];
    const echoes = { 'São Paulo 🌳': 'São Paulo 🌳', [x]: x, [`${x}x`]: `${x}…`, [tree.repeat(6)]: `${tree}…` };
    expect(eachOf(echoes, (text) => echo(text))).toEqual(echoes);
  });

  it('contains nothing that could disturb a terminal or the reading direction', () => {
    expect(echo('a\u0000b\u001b[31mc\u202ed\ud800e\tf\u061cg\u00adh')).toBe(
      'a\uFFFDb\uFFFD[31mc\uFFFDd\uFFFDe f\uFFFDg\uFFFDh',
    );
  });
});

describe('a snippet', () => {
  it.each([
    ['the error', 'tiker:BCT', [[0, 5]], '^^^^^'],
    [
      'every error',
      'a:1 and bb:2',
      [
        [0, 1],
        [8, 2],
      ],
      '^       ^^',
    ],
    ['what is missing behind the end', 'ticker:', [[7, 0]], '       ^'],
    ['what stands behind a pictograph, which is one column and two units', 'name:🌳 x', [[8, 1]], '       ^'],
    ['an empty text', '', [[0, 0]], '^'],
  ])('puts carets under %s', (_, text, spans, carets) => {
    const errors = spans.map(([position = 0, length = 0]) => ({ position, length }));
    expect(snippet(text, errors)).toBe(`${text}\n${carets}`);
  });

  it('keeps to one line and shows no control characters', () => {
    expect(snippet('a\n\u0007b', [{ position: 3, length: 1 }])).toBe('a \uFFFDb\n   ^');
  });

  it('shows eighty characters around the first error of a long text, and whole pictographs', () => {
    const text = `${'x'.repeat(100)}!${'y'.repeat(100)}`;
    const [line = '', carets = ''] = snippet(text, [{ position: 100, length: 1 }]).split('\n');
    expect(line).toBe(`…${'x'.repeat(30)}!${'y'.repeat(49)}…`);
    expect(carets.indexOf('^')).toBe(line.indexOf('!'));
    expect(snippet('🌳'.repeat(100), [{ position: 101, length: 1 }]).isWellFormed()).toBe(true);
  });
});

describe('the suggested field', () => {
  it('is the one with a similar spelling or the same meaning', () => {
    const spelled = { registry_id: 'registryId', 'created-at': 'createdAt', 'created.at': 'createdAt', SDG: 'sdgs' };
    const meant = { symbol: 'ticker', vintage: 'vintages', score: 'rating', title: 'name', cost: 'price' };
    const typed = { tiker: 'ticker', tikcer: 'ticker', ratng: 'rating', nmae: 'name', desription: 'description' };
    const nothing = ['zzz', 'sgd2', 'nxxe', 'constructor', '__proto__', 'x'.repeat(4000)];
    const suggest = (name: string) => suggestField(name, goldenFields);
    expect(eachOf({ ...spelled, ...meant, ...typed }, suggest)).toEqual({ ...spelled, ...meant, ...typed });
    expect(nothing.filter((name) => suggest(name) !== undefined)).toEqual([]);
  });
});

describe('the edit distance', () => {
  it.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['abc', 'abd', 1],
    ['abc', 'acb', 1],
    ['abc', 'abcd', 1],
    ['abcd', 'bcd', 1],
    ['abcd', 'badc', 2],
    ['kitten', 'sitting', 3],
  ])('between %j and %j is %d', (left, right, distance) => {
    expect(editDistance(left, right, 9)).toBe(distance);
  });

  it('is the same both ways, at most the longer length, and at most the bound', () => {
    const word = fc.string({ maxLength: 8 });
    fc.assert(
      fc.property(word, word, (left, right) => {
        expect(editDistance(left, right, 99)).toBe(editDistance(right, left, 99));
        expect(editDistance(left, right, 99)).toBeLessThanOrEqual(Math.max(left.length, right.length));
      }),
    );
    expect(editDistance('abc', 'xyz', 2)).toBe(2);
    expect(editDistance('a', 'abcdefgh', 3)).toBe(3);
  });
});
