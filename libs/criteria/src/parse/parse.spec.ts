import { parseCriteria } from './parse.js';

const treeOf = (text: string) => {
  const parsed = parseCriteria(text);
  return parsed.ok ? parsed.value : parsed.errors;
};

/** Every object and list within a tree, itself included. */
function nodesOf(node: unknown): object[] {
  if (typeof node !== 'object' || node === null) return [];
  return [node, ...Object.values(node).flatMap(nodesOf)];
}

describe('parsing', () => {
  it('gives every node its place in the text', () => {
    expect(treeOf('  rating >= "3"')).toEqual({
      kind: 'compare',
      relation: 'gte',
      field: 'rating',
      operator: '>=',
      operatorAt: 9,
      operandAt: 12,
      operand: { kind: 'scalar', text: '3', quoted: true, pattern: undefined, position: 12, length: 3 },
      position: 2,
      length: 13,
    });
  });

  it('makes nodes that cannot be changed', () => {
    const tree = treeOf(
      'not a:1 and (b in (x, 1..2) or c exists) and -d>3 and e:(f or not (g and [1 TO 2})) and h like "i*"',
    );
    expect(nodesOf(tree).filter((node) => !Object.isFrozen(node))).toEqual([]);
  });

  it('keeps what was read whole before a mistake', () => {
    const parsed = parseCriteria('a:1 and b:2 or');
    expect(parsed).toMatchObject({ ok: false, predicates: [{ field: 'a' }, { field: 'b' }] });
  });

  it('knows no fields: any name will do', () => {
    expect(treeOf('anything.at-all:1')).toMatchObject({ kind: 'equals', field: 'anything.at-all' });
  });

  it('takes a comparison by size behind a colon and blanks, and no other', () => {
    expect(treeOf('a: >= 3')).toMatchObject({ kind: 'compare', relation: 'gte' });
    expect(parseCriteria('a: <>3')).toMatchObject({ ok: false, errors: [{ code: 'UNEXPECTED_TOKEN', position: 3 }] });
  });

  it.each(['a LI\u212aE x', 'a i\u017f null'])(
    'knows letters of ASCII alone for a word of the language: %s',
    (text) => {
      expect(parseCriteria(text)).toMatchObject({ ok: false, errors: [{ code: 'MISSING_OPERATOR' }] });
    },
  );

  it('ends a bare value before two dots', () => {
    expect(treeOf('a:-1.5..-.5')).toMatchObject({
      operand: { kind: 'range', low: { text: '-1.5' }, high: { text: '-.5' } },
    });
    expect(treeOf('a:1..')).toMatchObject({ operand: { kind: 'range', low: { text: '1' }, high: undefined } });
    expect(treeOf('a:"x".."y"')).toMatchObject({ operand: { kind: 'range', low: { text: 'x' }, high: { text: 'y' } } });
  });

  it.each([
    ['2022-02-28T10:30', '2022-02-28T10:30'],
    ['2022-02-28T10:30:15.500Z', '2022-02-28T10:30:15.500Z'],
    ['2022-02-28T10:30:15+02:00', '2022-02-28T10:30:15+02:00'],
    ['2022-02-28t10:30-05:30', '2022-02-28t10:30-05:30'],
  ])('takes %s as one bare value though it holds colons', (text, value) => {
    expect(treeOf(`a:${text}`)).toMatchObject({ operand: { kind: 'scalar', text: value } });
  });

  it('takes no other colon into a bare value', () => {
    expect(treeOf('a:2022-02-28:1')).toMatchObject([{ code: 'UNEXPECTED_TOKEN', position: 12 }]);
    expect(treeOf('a:12:30')).toMatchObject([{ code: 'UNEXPECTED_TOKEN', position: 4 }]);
  });

  it.each([
    ['"a""b"', 'a"b'],
    ["'a''b'", "a'b"],
    ['"it\'s"', "it's"],
    ['"\\\\ \\" \\\' \\* \\?"', '\\ " \' * ?'],
    ['"\\n\\t\\r"', '\n\t\r'],
    ['"\\u00e9\\u00E9"', 'éé'],
    ['"a\nb"', 'a\nb'],
    ['""', ''],
    ['a\\ b\\"c', 'a b"c'],
    ['\\*', '*'],
    ['d’Ivoire', 'd’Ivoire'],
    ['100%', '100%'],
    ['a.b', 'a.b'],
    ['/a', '/a'],
    ['-5', '-5'],
  ])('reads %s as %j', (text, value) => {
    expect(treeOf(`a:${text}`)).toMatchObject({ operand: { kind: 'scalar', text: value, pattern: undefined } });
  });

  it.each([
    ['b*', 'b*', 'b*'],
    ['*b', '*b', '*b'],
    ['b?c', 'b?c', 'b?c'],
    ['**', '**', '**'],
    ['a\\*b*', 'a*b*', 'a\\*b*'],
    ['a\\"b\\\\?', 'a"b\\?', 'a"b\\\\?'],
  ])('takes %s for a pattern', (text, value, pattern) => {
    expect(treeOf(`a:${text}`)).toMatchObject({ operand: { kind: 'scalar', text: value, pattern } });
  });
});
