import { KEY_ID_LETTERS, KEY_PREFIX } from './key-text.js';

/** As addresses may encode it, too. */
const UNDERSCORE = '(?:_|%5[Ff])';
const BEGINNING = KEY_PREFIX.replaceAll('_', UNDERSCORE);
/** To the end of the word, since what was mistyped in a secret must not leave the rest of it. */
const REST = `[^\\s'";,]+`;
const KEY = new RegExp(`(${BEGINNING}(?:${KEY_ID_LETTERS}${UNDERSCORE})?)${REST}`, 'g');
/** The secret of a key whose beginning was lost or mistyped. */
const SECRET = new RegExp(`(?<=${UNDERSCORE})[0-9A-Za-z]{43,}`, 'g');

/**
 * A text for logs and terminals, with an ellipsis for the secret of each key in it: keys get into addresses, options and
 * files where none belong, and what is said of those repeats them. The public id stays, to tell whose key it was.
 */
export function withoutSecrets(text: string): string {
  return text.replace(KEY, '$1…').replace(SECRET, '…');
}
