import { compile } from '../../compile.js';
import { goldenFields } from '../../reference/golden.js';

const compiled = (value: string) => {
  const result = compile(`address:${value}`, goldenFields);
  return result.ok ? result.query : result.errors.map(({ code }) => code);
};

const digits = (count: number) => 'a'.repeat(count);

describe('an address', () => {
  it('has 1 to 64 digits', () => {
    expect(compiled('0xa')).toEqual({ term: { address: { value: '0xa' } } });
    expect(compiled(`0x${digits(64)}`)).toMatchObject({ term: {} });
    expect(compiled(`0x${digits(65)}`)).toEqual(['INVALID_VALUE']);
    expect(compiled('0x')).toEqual(['INVALID_VALUE']);
  });

  it('may be asked for by its beginning, from two digits on', () => {
    expect(compiled('0X2b*')).toEqual({ prefix: { address: { value: '0X2b' } } });
    expect(compiled(`0x${digits(64)}*`)).toMatchObject({ prefix: {} });
    expect(compiled(`0x${digits(65)}*`)).toEqual(['INVALID_VALUE']);
    expect(compiled('0x2*')).toEqual(['PATTERN_TOO_BROAD']);
    expect(compiled('0x*')).toEqual(['PATTERN_TOO_BROAD']);
  });

  it.each(['*2b', '0x2b*c', '0x2b**', '0x2b?', '0x?b*', '0x2b\\**'])('has no other pattern, such as %s', (pattern) => {
    expect(compiled(pattern)).toEqual(['PATTERN_NOT_ALLOWED']);
  });

  it.each(['2b*', '0x2g*'])('begins with 0x and hexadecimal digits, unlike %s', (pattern) => {
    expect(compiled(pattern)).toEqual(['INVALID_VALUE']);
  });
});
