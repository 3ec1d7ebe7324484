/** The characters the grammar names, as UTF-16 codes. */
export const CODE = {
  ampersand: 0x26,
  backslash: 0x5c,
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
  openingBracket: 0x5b,
  openingParenthesis: 0x28,
  pipe: 0x7c,
  plus: 0x2b,
  question: 0x3f,
  singleQuote: 0x27,
  star: 0x2a,
  a: 0x61,
  n: 0x6e,
  o: 0x6f,
} as const;

/** Set in the code of a small letter and not of its capital. */
export const SMALL = 0x20;
