import { parseCriteria } from './parse.js';

/** Returns the tree of a text, or the position of its failure. */
const treeOf = (text: string) => {
  const parsed = parseCriteria(text);
  return parsed.ok ? parsed.value : parsed.failure;
};

describe('a parsed condition', () => {
  it('has its place in the text, and its value as it was written', () => {
    const scalar = { kind: 'scalar', text: '3', quoted: true, pattern: undefined, position: 12, length: 3 };
    expect(treeOf('  rating >= "3"')).toEqual({
      ...{ kind: 'value', operator: '>=', field: 'rating' },
      ...{ operatorAt: 9, operandAt: 12, operand: scalar, position: 2, length: 13 },
    });
  });

  it('spans the brackets of its interval, and its group up to the parenthesis', () => {
    expect(treeOf('f:[1 TO 2]')).toMatchObject({ operand: { position: 2, length: 8 }, length: 10 });
    expect(treeOf(' f:( a or b ) ')).toMatchObject({ position: 1, length: 12, operatorAt: 2, operandAt: 3 });
  });

  it('may name any field', () => {
    expect(treeOf('anything.at-all:1')).toMatchObject({ kind: 'equals', field: 'anything.at-all' });
  });

  it('is kept when a later one is wrong', () => {
    const parsed = parseCriteria('a:1 and b:2 or');
    expect(parsed).toMatchObject({ ok: false, predicates: [{ field: 'a' }, { field: 'b' }] });
  });

  it('groups values by words or whole, with ranges, null and the star beside them', () => {
    const not = { kind: 'not', part: { kind: 'scalar', text: 'b' } };
    const group = { kind: 'or', parts: [{ text: 'a' }, { kind: 'and', parts: [not, { text: 'c' }] }] };
    expect(treeOf('f:(a or not b and c)')).toMatchObject({ kind: 'group', form: 'words', group });
    const interval = { kind: 'range', form: 'interval', aboveLow: false, belowHigh: true };
    const parts = [{ kind: 'range', form: 'dots' }, interval, { kind: 'null' }, { kind: 'any' }];
    expect(treeOf('f = (1..2, [3 TO 4}, null, *)')).toMatchObject({ form: 'whole', group: { kind: 'or', parts } });
  });
});
