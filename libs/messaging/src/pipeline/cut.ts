import type { WireMessage } from '../publish/outgoing-message.js';

/** Says how many bytes at the end of the value were left out. */
export const CUT_BYTES_HEADER = 'x-cut-bytes';

/** Less than this is not worth another try. */
const LEAST_BYTES = 1024;

/**
 * A letter with half the value it had, or none when little is left; and when it has none, one that says only why and where
 * it lies (`facts`), for then key or headers are what is too large. The original lies where it was until its topic lets
 * go of it.
 * @param whole how long the value was at first; bytes
 * @returns undefined when nothing is left to cut
 */
export function cut(letter: WireMessage, whole: number, facts: WireMessage['headers']): WireMessage | undefined {
  const value = Buffer.from(letter.value ?? '');
  const left = value.length < LEAST_BYTES ? 0 : Math.floor(value.length / 2);
  const cutBytes = { [CUT_BYTES_HEADER]: String(whole - left) };
  if (isBare(letter, facts)) return undefined;
  if (value.length === 0) return { ...letter, key: null, value: null, headers: { ...facts, ...cutBytes } };
  return { ...letter, value: value.subarray(0, left), headers: { ...letter.headers, ...cutBytes } };
}

function isBare({ key, value, headers }: WireMessage, facts: WireMessage['headers']): boolean {
  return (
    key === null && value === null && Object.keys(headers).every((name) => name === CUT_BYTES_HEADER || name in facts)
  );
}
