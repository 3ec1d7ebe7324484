import { RequestError } from '../api-error.js';

/** Fails on bytes that are not UTF-8; keeps a byte order mark, so that it can be refused. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a JSON body. Throws `invalid_json` for an empty one, a byte order mark or invalid UTF-8 (RFC 8259, 8.1). */
export function jsonText(bytes: Uint8Array): string {
  if (bytes.length === 0) throw invalidJson('The body is empty. Send a JSON object.');
  const text = decoded(bytes);
  if (text.startsWith('\uFEFF')) throw invalidJson('The body starts with a byte order mark. Send it without.');
  return text;
}

function decoded(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch (cause) {
    throw invalidJson('The body is not valid UTF-8. Encode it as UTF-8.', cause);
  }
}

/** The fault for a body that is no acceptable JSON. */
export function invalidJson(detail: string, cause?: unknown): RequestError {
  return new RequestError('invalid_json', detail, { cause });
}

/** `line 1, column 5`: where an index of the text is, counted from 1. */
export function placeOf(text: string, index: number): string {
  const before = text.slice(0, index);
  const line = before.split('\n').length;
  return `line ${line}, column ${index - (before.lastIndexOf('\n') + 1) + 1}`;
}
