import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The prefix of every key, so that scanners find leaked keys. */
export const KEY_PREFIX = 'cl_live_';
/** Without the ambiguous letters i l o u: people read and type ids. */
const ID_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const ID_LENGTH = 12;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The fewest characters of {@link ALPHABET} that hold 256 bits. */
const SECRET_LENGTH = 43;
/** The fewest that hold the 32 bits of a CRC. */
const CHECKSUM_LENGTH = 6;

const KEY_ID_PATTERN = `[${ID_ALPHABET}]{${ID_LENGTH}}`;

/** The public id of a key, as in the key file, in logs and in the key itself. */
export const KEY_ID = new RegExp(`^${KEY_ID_PATTERN}$`);

const KEY = new RegExp(
  `^${KEY_PREFIX}(${KEY_ID_PATTERN})_([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);
const KEY_LENGTH = KEY_PREFIX.length + ID_LENGTH + 1 + SECRET_LENGTH + CHECKSUM_LENGTH;

/** The parts of a key. */
export interface KeyParts {
  readonly id: string;
  readonly secret: string;
}

/** Returns a new key, `cl_live_<id>_<secret><checksum>`. Its text is not stored. */
export function newKey(): KeyParts & { readonly text: string } {
  const [id, secret] = [randomText(ID_ALPHABET, ID_LENGTH), randomText(ALPHABET, SECRET_LENGTH)];
  return { id, secret, text: keyText({ id, secret }) };
}

/** Returns the text of a key, which its owner gets once. */
export function keyText({ id, secret }: KeyParts): string {
  const checked = `${KEY_PREFIX}${id}_${secret}`;
  return `${checked}${checksumOf(checked)}`;
}

/** Returns the parts of a key; undefined for any other text. The checksum detects typos without a look-up. */
export function readKey(text: string): KeyParts | undefined {
  const [, id, secret, checksum] = (text.length === KEY_LENGTH && KEY.exec(text)) || [];
  if (id === undefined || secret === undefined) return undefined;
  return checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === checksum ? { id, secret } : undefined;
}

/**
 * Returns the stored digest of a secret. A secret has 256 random bits, so a slow hash would not protect it better: it would
 * only make a flood of wrong keys expensive for the gateway.
 */
export function digestOf(secret: string): Buffer {
  // Node returns a hash as a Buffer at twice the cost of a binary string.
  return Buffer.from(hash('sha256', secret, 'binary'), 'binary');
}

function randomText(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** CRC-32 in base 62. */
function checksumOf(checked: string): string {
  let rest = crc32(checked);
  let text = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    text = `${ALPHABET[rest % ALPHABET.length]}${text}`;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}

/** URLs may encode the underscore. */
const UNDERSCORE = '(?:_|%5[Ff])';
/** A key, to the end of the word: what follows a typo in a secret must not be shown either. */
const EMBEDDED_KEY = new RegExp(
  `(${KEY_PREFIX.replaceAll('_', UNDERSCORE)}(?:${KEY_ID_PATTERN}${UNDERSCORE})?)[^\\s'";,]+`,
  'g',
);
/** The secret of a key with a missing or mistyped prefix. */
const EMBEDDED_SECRET = new RegExp(`(?<=${UNDERSCORE})[0-9A-Za-z]{43,}`, 'g');

/** Returns a text for logs and terminals with an ellipsis for the secret of each key in it. The public ids stay. */
export function withoutSecrets(text: string): string {
  return text.replace(EMBEDDED_KEY, '$1…').replace(EMBEDDED_SECRET, '…');
}
