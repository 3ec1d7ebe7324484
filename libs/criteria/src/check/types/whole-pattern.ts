/**
 * Characters that the index folds to its own signs of patterns, with what stands for them as characters. Left as they
 * are they would become wildcards behind every limit.
 */
const SIGN_LOOKALIKES: ReadonlyMap<string, string> = new Map([
  ['\u2047', '\\?\\?'],
  ['\u2048', '\\?!'],
  ['\u2049', '!\\?'],
  ['\u204e', '\\*'],
  ['\uff0a', '\\*'],
  ['\uff1f', '\\?'],
  ['\uff3c', '\\\\'],
]);

/** A pattern for whole values, composed to NFC as they are; the index folds its letters. */
export function wholePattern(pattern: string): string {
  const composed = pattern.normalize('NFC');
  let plain = '';
  for (let at = 0; at < composed.length; at++) {
    const character = composed.charAt(at);
    plain += character > '\u2000' ? (SIGN_LOOKALIKES.get(character) ?? character) : character;
  }
  return plain;
}
