import { echo } from './echo.js';

describe('echoing the text of a client', () => {
  it('shows plain text as it is', () => {
    expect(echo('São Paulo 🌳')).toBe('São Paulo 🌳');
  });

  it('cuts after eighty characters, never within a surrogate pair', () => {
    expect(echo('x'.repeat(80))).toBe('x'.repeat(80));
    expect(echo('x'.repeat(81))).toBe(`${'x'.repeat(80)}…`);
    expect(echo('🌳'.repeat(500))).toBe(`${'🌳'.repeat(80)}…`);
  });

  it('replaces what could disturb a terminal or the order of reading', () => {
    expect(echo('a\u0000b\u001b[31mc\u202ed\ud800e\tf')).toBe('a\uFFFDb\uFFFD[31mc\uFFFDd\uFFFDe f');
  });
});
