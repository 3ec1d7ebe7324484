/** Bytes as a person or a program can read them. */
export type Readable = { readonly text: string } | { readonly hex: string };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** What moves the cursor, turns the line round or hides: a terminal must not obey what a stranger put on a topic. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu;
const HARMLESS = new Set(['\n', '\t']);

/** Text where the bytes are UTF-8, hexadecimal digits where they are not. */
export function readable(bytes: Buffer): Readable {
  try {
    return { text: utf8.decode(bytes) };
  } catch {
    return { hex: bytes.toString('hex') };
  }
}

/** One line for a person: what cannot be seen is written as `\u{…}`, and what is too long is cut. */
export function oneLine(bytes: Buffer | string | null | undefined, longest = 120): string {
  if (bytes === null || bytes === undefined) return '-';
  const found = typeof bytes === 'string' ? { text: bytes } : readable(bytes.subarray(0, 4 * longest));
  const text = 'text' in found ? found.text.replace(UNSEEN, escaped) : `0x${found.hex}`;
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** The whole of it for a terminal, lines kept. */
export function forTerminal(text: string): string {
  return text.replace(UNSEEN, (character) => (HARMLESS.has(character) ? character : escaped(character)));
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
