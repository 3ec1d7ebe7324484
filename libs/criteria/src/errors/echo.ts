const LONGEST = 80;
const REPLACEMENT = '\uFFFD';

/** Characters that would disturb a terminal, a log line or the reading order when shown to a person. */
function isUnsafe(codePoint: number): boolean {
  return (
    codePoint < 0x20 ||
    (codePoint >= 0x7f && codePoint <= 0x9f) ||
    (codePoint >= 0x200b && codePoint <= 0x200f) ||
    (codePoint >= 0x2028 && codePoint <= 0x202e) ||
    (codePoint >= 0x2060 && codePoint <= 0x206f) ||
    (codePoint >= 0xd800 && codePoint <= 0xdfff) ||
    codePoint === 0xfeff
  );
}

/** One code point as it may be shown: white space that breaks lines becomes a blank, other controls U+FFFD. */
export function shown(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint === 9 || codePoint === 10 || codePoint === 13) return ' ';
  return isUnsafe(codePoint) ? REPLACEMENT : character;
}

/** A sentence with everything unsafe replaced. */
export function harmless(text: string): string {
  return Array.from(text, shown).join('');
}

/** A piece of the client's text for use inside a message: at most 80 characters, nothing unsafe in it. */
export function echo(text: string): string {
  const characters = [...text.slice(0, 2 * LONGEST + 2)];
  const safe = characters.slice(0, LONGEST).map(shown).join('');
  return characters.length > LONGEST ? `${safe}…` : safe;
}
