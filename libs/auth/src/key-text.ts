import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What every key begins with, so that scanners find those that were published by mistake. */
export const KEY_PREFIX = 'cl_live_';
/** Without letters that are read as others (i l o u), for the id is read aloud, typed and logged. */
const ID_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const ID_LENGTH = 12;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The fewest characters of {@link ALPHABET} that hold 256 bits. */
const SECRET_LENGTH = 43;
/** The fewest that hold the 32 bits of a CRC. */
const CHECKSUM_LENGTH = 6;

/** The public id of a key, for an expression that looks for one. */
export const KEY_ID_LETTERS = `[${ID_ALPHABET}]{${ID_LENGTH}}`;

/** The public id of a key, as it stands in the key file, in logs and in the key itself. */
export const KEY_ID = new RegExp(`^${KEY_ID_LETTERS}$`);

const KEY = new RegExp(
  `^${KEY_PREFIX}(${KEY_ID_LETTERS})_([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);
const KEY_LENGTH = KEY_PREFIX.length + ID_LENGTH + 1 + SECRET_LENGTH + CHECKSUM_LENGTH;

/** A key taken apart. */
export interface KeyParts {
  readonly id: string;
  readonly secret: string;
}

/** A new key, `cl_live_<id>_<secret><checksum>`. Its text is known here and nowhere else. */
export function newKey(): KeyParts & { readonly text: string } {
  const [id, secret] = [randomText(ID_ALPHABET, ID_LENGTH), randomText(ALPHABET, SECRET_LENGTH)];
  return { id, secret, text: keyText({ id, secret }) };
}

/** The text of a key: what is given to its owner, once. */
export function keyText({ id, secret }: KeyParts): string {
  const checked = `${KEY_PREFIX}${id}_${secret}`;
  return `${checked}${checksumOf(checked)}`;
}

/** The parts of a key; undefined for what is none, a key with a typo included: the checksum tells without any look-up. */
export function readKey(text: string): KeyParts | undefined {
  const [, id, secret, checksum] = (text.length === KEY_LENGTH && KEY.exec(text)) || [];
  if (id === undefined || secret === undefined) return undefined;
  return checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === checksum ? { id, secret } : undefined;
}

/**
 * What is kept of a secret. It has 256 random bits, so there is nothing to guess, and a slow hash would protect nothing:
 * it would only let whoever sends many wrong keys keep the gateway busy.
 */
export function digestOf(secret: string): Buffer {
  // As text that holds a byte a letter: Node gives a hash as a Buffer at twice the price.
  return Buffer.from(hash('sha256', secret, 'binary'), 'binary');
}

function randomText(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

function checksumOf(checked: string): string {
  let rest = crc32(checked);
  let text = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    text = `${ALPHABET[rest % ALPHABET.length]}${text}`;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
