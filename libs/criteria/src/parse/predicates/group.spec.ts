import { parseCriteria } from '../parse.js';

const treeOf = (text: string, limits = {}) => {
  const parsed = parseCriteria(text, limits);
  return parsed.ok ? parsed.value : parsed.errors.map(({ code, position }) => [code, position]);
};

const value = (text: string) => ({ kind: 'scalar', text });

describe('a group of values', () => {
  it('binds not tighter than and, and that tighter than or', () => {
    expect(treeOf('f:(a or not b and c)')).toMatchObject({
      kind: 'group',
      form: 'words',
      group: {
        kind: 'or',
        parts: [value('a'), { kind: 'and', parts: [{ kind: 'not', part: value('b') }, value('c')] }],
      },
    });
  });

  it('takes ranges, intervals, null and the bare star beside values', () => {
    expect(treeOf('f = (1..2, [3 TO 4}, null, *)')).toMatchObject({
      form: 'whole',
      group: {
        kind: 'or',
        parts: [
          { kind: 'range', form: 'dots' },
          { kind: 'range', form: 'interval', aboveLow: false, belowHigh: true },
          { kind: 'null' },
          { kind: 'any' },
        ],
      },
    });
  });

  it('takes keywords that are none in the place of a value', () => {
    expect(treeOf('f:(in or to or like)')).toMatchObject({
      group: { parts: [value('in'), value('to'), value('like')] },
    });
    expect(treeOf('f:(nothing or order)')).toMatchObject({ group: { parts: [value('nothing'), value('order')] } });
  });

  it('takes commas between values alone', () => {
    expect(treeOf('f:((a, b))')).toMatchObject({ group: { parts: [value('a'), value('b')] } });
    expect(treeOf('f:((a), b)')).toEqual([['UNEXPECTED_TOKEN', 6]]);
    expect(treeOf('f:(a, (b))')).toEqual([['UNEXPECTED_TOKEN', 6]]);
    expect(treeOf('f:(not a, b)')).toEqual([['UNEXPECTED_TOKEN', 8]]);
  });

  it('spans its predicate, up to the parenthesis', () => {
    expect(treeOf(' f:( a or b ) ')).toMatchObject({ position: 1, length: 12, operatorAt: 2, operandAt: 3 });
  });

  it('counts each of its values, and not itself', () => {
    expect(treeOf('f:(a or b) g:1', { clauses: 3 })).toMatchObject({ kind: 'and' });
    expect(treeOf('f:(a or b) g:1', { clauses: 2 })).toEqual([['TOO_MANY_CLAUSES', 11]]);
    expect(treeOf('f:(a, b)', { clauses: 1 })).toEqual([['TOO_MANY_CLAUSES', 6]]);
  });

  it('counts its parentheses and negations as levels', () => {
    expect(treeOf('(f:(not (a)))', { depth: 4 })).toMatchObject({ kind: 'group' });
    expect(treeOf('(f:(not (a)))', { depth: 3 })).toEqual([['TOO_DEEP', 8]]);
    expect(treeOf('f:((a) or (b) or not c)', { depth: 2 })).toMatchObject({ kind: 'group' });
  });

  it('does not lend its or to the terms around it', () => {
    expect(treeOf('f:(a or b) g:1 h:2')).toMatchObject({ kind: 'and' });
    expect(treeOf('g:1 h:2 or f:(a and b)')).toEqual([['AMBIGUOUS_OR', 4]]);
  });
});
