import { snippet } from './snippet.js';

describe('a snippet', () => {
  it('puts carets under the mistake', () => {
    expect(snippet('tiker:BCT', [{ position: 0, length: 5 }])).toBe('tiker:BCT\n^^^^^');
  });

  it('puts carets under every mistake', () => {
    const spans = [
      { position: 0, length: 1 },
      { position: 8, length: 2 },
    ];
    expect(snippet('a:1 and bb:2', spans)).toBe('a:1 and bb:2\n^       ^^');
  });

  it('puts one caret behind the text for what is missing at the end', () => {
    expect(snippet('ticker:', [{ position: 7, length: 0 }])).toBe('ticker:\n       ^');
  });

  it('counts a pictograph as one column, though it is two units', () => {
    expect(snippet('name:🌳 x', [{ position: 8, length: 1 }])).toBe('name:🌳 x\n       ^');
  });

  it('keeps to one line and shows no control characters', () => {
    expect(snippet('a\n\u0007b', [{ position: 3, length: 1 }])).toBe('a \uFFFDb\n   ^');
  });

  it('shows eighty characters around the first mistake of a long text', () => {
    const text = `${'x'.repeat(100)}!${'y'.repeat(100)}`;
    const [line = '', carets = ''] = snippet(text, [{ position: 100, length: 1 }]).split('\n');
    expect(line).toBe(`…${'x'.repeat(30)}!${'y'.repeat(49)}…`);
    expect(carets.indexOf('^')).toBe(line.indexOf('!'));
  });

  it('does not begin within a surrogate pair', () => {
    const text = '🌳'.repeat(100);
    expect(snippet(text, [{ position: 101, length: 1 }])).toBe(
      snippet(text, [{ position: 101, length: 1 }]).toWellFormed(),
    );
  });

  it('shows an empty text as an empty line', () => {
    expect(snippet('', [{ position: 0, length: 0 }])).toBe('\n^');
  });
});
