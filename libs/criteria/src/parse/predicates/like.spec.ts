import { parseCriteria } from '../parse.js';

const treeOf = (text: string) => {
  const parsed = parseCriteria(text);
  return parsed.ok ? parsed.value : parsed.errors;
};

describe('like', () => {
  it.each([
    ['"*a b*"', '*a b*', '*a b*'],
    ["'a''s?'", "a's?", "a's?"],
    ['"a\\*b*"', 'a*b*', 'a\\*b*'],
    ['"\\\\?\\""', '\\?"', '\\\\?"'],
    ['"\\u002a?"', '*?', '\\*?'],
    ['a\\ b*', 'a b*', 'a b*'],
  ])('takes the wildcards of %s, and not what is escaped', (written, text, pattern) => {
    expect(treeOf(`f like ${written}`)).toMatchObject({ kind: 'like', operand: { text, pattern } });
  });

  it.each(['"a\\*b"', '"a"', 'a\\?', '100\\%'])('sees no wildcard in %s', (written) => {
    expect(treeOf(`f like ${written}`)).toMatchObject({ kind: 'like', operand: { pattern: undefined } });
  });

  it('leaves the stars in quotes alone everywhere else', () => {
    expect(treeOf('f:"a*"')).toMatchObject({ operand: { kind: 'scalar', text: 'a*', pattern: undefined } });
  });

  it('takes a percent sign for SQL, unless it is escaped or stands beside a star', () => {
    expect(treeOf('f like "a%"')).toMatchObject([{ code: 'UNSUPPORTED_SYNTAX', position: 7, length: 4 }]);
    expect(treeOf('f like a%')).toMatchObject([{ code: 'UNSUPPORTED_SYNTAX', position: 7, length: 2 }]);
    expect(treeOf('f like "a%*"')).toMatchObject({ kind: 'like' });
  });
});
