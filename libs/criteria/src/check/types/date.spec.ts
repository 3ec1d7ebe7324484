import { compile } from '../../compile.js';
import { goldenFields } from '../../reference/golden.js';

const meaningOf = (condition: string) => {
  const compiled = compile(`createdAt${condition}`, goldenFields);
  return compiled.ok ? compiled.canonical : compiled.errors.map(({ code, position }) => [code, position]);
};

describe('a period', () => {
  it.each([
    [':2022-02', 'createdAt:[2022-02-01T00:00:00.000Z TO 2022-03-01T00:00:00.000Z}'],
    [' != 2022-02', 'not createdAt:[2022-02-01T00:00:00.000Z TO 2022-03-01T00:00:00.000Z}'],
    [' > 2022-02', 'createdAt >= 2022-03-01T00:00:00.000Z'],
    [' >= 2022-02', 'createdAt >= 2022-02-01T00:00:00.000Z'],
    [' < 2022-02', 'createdAt < 2022-02-01T00:00:00.000Z'],
    [' <= 2022-02', 'createdAt < 2022-03-01T00:00:00.000Z'],
    [':2021..2022-02', 'createdAt:[2021-01-01T00:00:00.000Z TO 2022-03-01T00:00:00.000Z}'],
    [':[2021 TO 2022-02]', 'createdAt:[2021-01-01T00:00:00.000Z TO 2022-03-01T00:00:00.000Z}'],
    [':{2021 TO 2022-03}', 'createdAt:[2022-01-01T00:00:00.000Z TO 2022-03-01T00:00:00.000Z}'],
    [':{2021 TO *]', 'createdAt >= 2022-01-01T00:00:00.000Z'],
    [':[* TO 2021}', 'createdAt < 2021-01-01T00:00:00.000Z'],
    [' between 2021 and 2022-02', 'createdAt:[2021-01-01T00:00:00.000Z TO 2022-03-01T00:00:00.000Z}'],
    [' in (2022-02)', 'createdAt:[2022-02-01T00:00:00.000Z TO 2022-03-01T00:00:00.000Z}'],
    [':(2022-02)', 'createdAt:[2022-02-01T00:00:00.000Z TO 2022-03-01T00:00:00.000Z}'],
  ])('in createdAt%s is meant from its start to its end', (condition, canonical) => {
    expect(meaningOf(condition)).toBe(canonical);
  });

  it('leaves nothing between bounds that exclude it, or that overlap the wrong way', () => {
    expect(meaningOf(':[2022-02 TO 2022-02}')).toEqual([['EMPTY_RANGE', 10]]);
    expect(meaningOf(':{2021 TO 2021-12]')).toEqual([['EMPTY_RANGE', 10]]);
    expect(meaningOf(' between 2022-03 and 2022-02')).toEqual([['EMPTY_RANGE', 18]]);
  });

  it('reaches up to the last year with four digits, and its bound can be written', () => {
    expect(meaningOf(':9999-12-30')).toBe('createdAt:[9999-12-30T00:00:00.000Z TO 9999-12-31T00:00:00.000Z}');
    expect(meaningOf(':[9999-12-30T00:00:00.000Z TO 9999-12-31T00:00:00.000Z}')).toBe(meaningOf(':9999-12-30'));
    expect(meaningOf(' >= 9999')).toBe('createdAt >= 9999-01-01T00:00:00.000Z');
    expect(meaningOf(' > 9999')).toEqual([['INVALID_VALUE', 12]]);
    expect(meaningOf(':[2022 TO 9999]')).toBe('createdAt:[2022-01-01T00:00:00.000Z TO 9999-12-31T23:59:59.999Z]');
    expect(meaningOf(' <= 9999')).toBe('createdAt <= 9999-12-31T23:59:59.999Z');
    expect(meaningOf(':[0000 TO 2022]')).toEqual([['INVALID_VALUE', 11]]);
    expect(meaningOf(' < 0001-01-01T00:00+00:01')).toEqual([['INVALID_VALUE', 12]]);
  });
});
