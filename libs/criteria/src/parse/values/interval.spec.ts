import { parseCriteria } from '../parse.js';

const operandOf = (text: string) => {
  const parsed = parseCriteria(`f:${text}`);
  return parsed.ok ? parsed.value : parsed.errors;
};

const interval = (low: string | undefined, high: string | undefined, aboveLow: boolean, belowHigh: boolean) => ({
  operand: {
    kind: 'range',
    form: 'interval',
    low: low === undefined ? undefined : { text: low },
    high: high === undefined ? undefined : { text: high },
    aboveLow,
    belowHigh,
  },
});

describe('an interval', () => {
  it.each([
    ['[1 TO 2]', interval('1', '2', false, false)],
    ['{1 TO 2]', interval('1', '2', true, false)],
    ['[1 to 2}', interval('1', '2', false, true)],
    ['{1..2}', interval('1', '2', true, true)],
    ['[ -1 .. -.5 ]', interval('-1', '-.5', false, false)],
    ['["a" TO\t\'b\']', interval('a', 'b', false, false)],
    ['[to TO to]', interval('to', 'to', false, false)],
    [
      '[2022-02-28T10:30 TO 2022-03-01T00:00:00+02:00}',
      interval('2022-02-28T10:30', '2022-03-01T00:00:00+02:00', false, true),
    ],
  ])('%s has its bounds, with or without themselves', (text, node) => {
    expect(operandOf(text)).toMatchObject(node);
  });

  it.each([
    ['[1 TO *]', interval('1', undefined, false, false)],
    ['{* TO 2}', interval(undefined, '2', false, true)],
  ])('%s is open where the star stands, whatever its bracket', (text, node) => {
    expect(operandOf(text)).toMatchObject(node);
  });

  it('spans its brackets', () => {
    expect(operandOf('[1 TO 2]')).toMatchObject({ operand: { position: 2, length: 8 }, length: 10 });
  });

  it('is no list, though one may stand in a list', () => {
    expect(operandOf('[1, 2]')).toMatchObject([{ code: 'UNSUPPORTED_SYNTAX', position: 2, length: 6 }]);
    expect(parseCriteria('f in [[1 TO 2], 3]')).toMatchObject({
      value: { operands: [{ kind: 'range' }, { kind: 'scalar' }] },
    });
  });
});
