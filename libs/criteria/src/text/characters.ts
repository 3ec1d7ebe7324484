/** The characters the grammar names, as UTF-16 codes. */
export const CODE = {
  ampersand: 0x26,
  backslash: 0x5c,
  closingBrace: 0x7d,
  closingParenthesis: 0x29,
  closingBracket: 0x5d,
  colon: 0x3a,
  comma: 0x2c,
  dot: 0x2e,
  doubleQuote: 0x22,
  equals: 0x3d,
  exclamation: 0x21,
  greater: 0x3e,
  less: 0x3c,
  minus: 0x2d,
  openingBrace: 0x7b,
  openingBracket: 0x5b,
  openingParenthesis: 0x28,
  percent: 0x25,
  pipe: 0x7c,
  plus: 0x2b,
  question: 0x3f,
  singleQuote: 0x27,
  slash: 0x2f,
  space: 0x20,
  star: 0x2a,
  tilde: 0x7e,
  underscore: 0x5f,
  a: 0x61,
  n: 0x6e,
  o: 0x6f,
} as const;

/** The bit that differs between a lower-case letter and its upper case. */
export const LOWER_CASE_BIT = 0x20;

const SPACE = 1;
const NAME = 2;
const WORD = 4;
const OPERATOR = 8;
const PLAIN = 16;

/** The classes of each ASCII character; one look-up instead of many comparisons. */
const CLASSES = classesOfAscii();

function classesOfAscii(): Uint8Array {
  const classes = new Uint8Array(128);
  for (let code = 0x21; code < 0x7f; code++) classes[code] = WORD | PLAIN;
  for (const character of '()[]{},"\'&|~^;`') mark(classes, character, 0);
  for (const character of ':=!<>') mark(classes, character, OPERATOR);
  for (const character of 'abcdefghijklmnopqrstuvwxyz0123456789_.-') mark(classes, character, WORD | NAME | PLAIN);
  for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') mark(classes, character, WORD | NAME | PLAIN);
  mark(classes, '.', WORD | NAME);
  for (const character of '\\*?') mark(classes, character, WORD);
  for (const character of ' \t\r\n') mark(classes, character, SPACE);
  return classes;
}

function mark(classes: Uint8Array, character: string, bits: number): void {
  classes[character.charCodeAt(0)] = bits;
}

function has(code: number, bit: number): boolean {
  return ((CLASSES[code] ?? 0) & bit) !== 0;
}

/** Spaces outside ASCII: Unicode's space separators and its line and paragraph separator. */
function isWideSpace(code: number): boolean {
  return (
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** Control characters and invisible marks, which are not part of a word. */
function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f) || (code >= 0x200b && code <= 0x200f) || code === 0xfeff;
}

/** The quotes that word processors insert. */
const TYPOGRAPHIC_QUOTES = '“”„‟«»‘’‚‛‹›';

/** Returns whether the character is a typographic quote, single or double; it is not a quote of this language. */
export function isTypographicQuote(code: number): boolean {
  return code >= 0xab && TYPOGRAPHIC_QUOTES.includes(String.fromCharCode(code));
}

const FOREIGN_COMMAS = '，、،';

/** Returns whether the character is the comma of another script; it separates nothing, but ends a word. */
export function isForeignComma(code: number): boolean {
  return code >= 0x60c && FOREIGN_COMMAS.includes(String.fromCharCode(code));
}

/** Double ones always end a word; single ones are apostrophes in it. */
function isDoubleTypographic(code: number): boolean {
  return code === 0xab || code === 0xbb || (code >= 0x201c && code <= 0x201f);
}

function isWideWord(code: number): boolean {
  return code >= 128 && !isWideSpace(code) && !isControl(code) && !isDoubleTypographic(code) && !isForeignComma(code);
}

/** Returns whether the character is white space; 0, the code after the end of a text, is in no class. */
export function isSpace(code: number): boolean {
  return code < 128 ? has(code, SPACE) : isWideSpace(code);
}

/**
 * Returns whether the scanner accepts the character in a field's name: more than any field has, so that a wrong name is
 * reported as a whole.
 */
export function isNameCharacter(code: number): boolean {
  return code < 128 ? has(code, NAME) : isWideWord(code);
}

/** Returns whether the character may be in an unquoted value. */
export function isWordCharacter(code: number): boolean {
  return code < 128 ? has(code, WORD) : isWideWord(code);
}

/**
 * Returns whether the ASCII character may be in an unquoted value whatever is around it: not a dot, a wildcard or a
 * backslash.
 */
export function isPlainCharacter(code: number): boolean {
  return code < 128 && has(code, PLAIN);
}

/** `0` to `9`. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** `a` to `z` in either case. */
export function isAsciiLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** Returns whether the character may be in an operator made of symbols. */
export function isOperatorSign(code: number): boolean {
  return has(code, OPERATOR);
}
