import { printable } from '@carbon/terminal';

/** Bytes as a person or a program can read them. */
export type Readable = { readonly text: string } | { readonly hex: string };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

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
  const text = 'text' in found ? printable(found.text) : `0x${found.hex}`;
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
