/** What the index makes a word of: a letter, a digit, a numeral that is a letter (`Ⅷ`), a pictograph; not `²` or `½`. */
export const WORD_CHARACTER = /[\p{L}\p{Nd}\p{Nl}\p{Extended_Pictographic}]/u;

/** What words are made of, beyond ASCII: pictographs are words by themselves, and marks follow what they mark. */
export const WORD_PART = /[\p{L}\p{M}\p{Nd}\p{Nl}]/u;
