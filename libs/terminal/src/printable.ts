/** What moves the cursor, turns the line round, hides, or is no character. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu;
const HARMLESS: ReadonlySet<string> = new Set(['\n', '\t']);

/**
 * One line that a terminal can be given: a terminal must not obey what strangers wrote, so what cannot be seen is written
 * as `\u{…}`.
 */
export function printable(text: string): string {
  return text.replace(UNSEEN, escaped);
}

/** The same with its lines and tabs kept. */
export function printableLines(text: string): string {
  return text.replace(UNSEEN, (character) => (HARMLESS.has(character) ? character : escaped(character)));
}

/** JSON that a terminal can be given. What cannot be seen stands within strings only, where it may be written as `\uXXXX`. */
export function printableJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  return text.replace(UNSEEN, (character) => (character === '\n' ? character : inUnits(character)));
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

function inUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
