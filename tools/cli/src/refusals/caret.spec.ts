import { widthOf } from '@carbon/terminal';
import fc from 'fast-check';
import { underlined } from './caret.js';

const WIDE = 1_000;

/** Characters with the columns that terminals give them, written down here and not computed. */
const COLUMNS: Readonly<Record<string, number>> = {
  a: 1,
  Z: 1,
  ' ': 1,
  '"': 1,
  é: 1,
  'e\u0301': 1,
  ж: 1,
  森: 2,
  ﾊ: 1,
  ハ: 2,
  '🌳': 2,
  '👍🏽': 2,
  '\t': 4,
  // Shown as \u{7}, \u{1b}, \u{202e} and \u{200b}.
  '\u0007': 5,
  '\u001b': 6,
  '\u202e': 8,
  '\u200b': 8,
};
const character = fc.constantFrom(...Object.keys(COLUMNS));
const characters = fc.array(character, { maxLength: 40 });
const columnsOf = (text: readonly string[]) => text.reduce((sum, one) => sum + (COLUMNS[one] ?? 0), 0);

describe('the caret under a mistake', () => {
  it.each([
    ['source: TOUCAN and tiker: BCT', 19, 5, '                   ^^^^^'],
    ['name: 森林 and tiker: BCT', 13, 5, '               ^^^^^'],
    ['name:\ttiker', 6, 5, '         ^^^^^'],
    ['name: 森', 6, 1, '      ^^'],
    ['🌳 x', 3, 1, '   ^'],
    ['(rating > 3', 11, 0, '           ^'],
    ['', 0, 0, '^'],
    ['a\nbb tiker: x\nc', 5, 5, '   ^^^^^'],
    ['\nx', 0, 1, '^'],
    ['\u0301x', 0, 1, '^'],
  ])('of %j at %d for %d stands below it', (text, position, length, carets) => {
    expect(underlined(text, { position, length }, WIDE)[1]).toBe(carets);
  });

  it('stands in the columns of what it marks, whatever stands before, beside and behind it', () => {
    fc.assert(
      fc.property(
        characters,
        fc.array(character, { minLength: 1, maxLength: 5 }),
        characters,
        (before, marked, after) => {
          const [head, wrong] = [before.join(''), marked.join('')];
          const [, carets] = underlined(
            head + wrong + after.join(''),
            { position: head.length, length: wrong.length },
            WIDE,
          );
          expect(carets).toBe(' '.repeat(columnsOf(before)) + '^'.repeat(columnsOf(marked)));
        },
      ),
    );
  });

  it('shows of a long line what is around the mistake, no wider than there is room, the caret still below it', () => {
    fc.assert(
      fc.property(characters, characters, fc.integer({ min: 20, max: 60 }), (before, after, room) => {
        const [head, tail] = [before.join(''), after.join('')];
        const [line, carets] = underlined(`${head}!${tail}`, { position: head.length, length: 1 }, room);
        expect(widthOf(line)).toBeLessThanOrEqual(room);
        expect(carets.trimStart()).toBe('^');
        expect(widthOf(line.slice(0, line.indexOf('!')))).toBe(carets.length - 1);
      }),
    );
  });

  it('marks the beginning of a mistake that is longer than there is room', () => {
    const [line, carets] = underlined(`${'x'.repeat(50)} ${'y'.repeat(100)}`, { position: 51, length: 100 }, 20);
    expect(line).toBe('…xxxxxxx yyyyyyyyyy…');
    expect(carets).toBe('         ^^^^^^^^^^');
  });

  it('shows the line of the mistake alone', () => {
    const text = 'source: TOUCAN\nand tiker: BCT\nand x: 1';
    expect(underlined(text, { position: 19, length: 5 }, WIDE)).toEqual(['and tiker: BCT', '    ^^^^^']);
  });
});
