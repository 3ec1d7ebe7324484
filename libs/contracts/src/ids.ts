import { randomInt } from 'node:crypto';
import { decodeBase32, encodeBase32, HmacKey } from './id-encoding.js';

/**
 * Ids that prove themselves: `off_` or `est_` and 26 letters of Crockford base32, 130 bits, big-endian:
 *
 *     2 bits kind | 88 bits body | 40 bits tag
 *
 * kind 00, by time: body = 48-bit Unix milliseconds, 40-bit number; kind 01, by key: body = the first 88 bits of
 * HMAC-SHA-256(idempotency secret; "key", account, Idempotency-Key). The tag is the first 40 bits of
 * HMAC-SHA-256(secret; prefix, account, the 90 bits before it), every part length-prefixed. So an app with the
 * secrets can verify, without a store, that an id was issued to an account.
 */
export type IdPrefix = 'off' | 'est';

/** The verification of an id for one account; `time` (Unix ms) only if the id contains one. */
export type IdReading =
  | { readonly verdict: 'malformed' }
  | { readonly verdict: 'not-issued' }
  | { readonly verdict: 'issued'; readonly time?: number };

/** The secrets: the first of each list signs, all verify. At least one in each. */
export interface IdSecrets {
  readonly ids: readonly string[];
  readonly idempotency: readonly string[];
}

const LETTERS = 26;
const TAIL = `[0-9a-hjkmnp-tv-z]{${LETTERS}}`;
const FORM = new RegExp(`^(off|est)_(${TAIL})$`);
/** The form of an offset id; {@link Ids} verifies that it was issued. */
export const OFFSET_ID_FORM = new RegExp(`^off_${TAIL}$`);
/** The form of an estimate id. */
export const ESTIMATE_ID_FORM = new RegExp(`^est_${TAIL}$`);
const BY_TIME = 0;
const BY_KEY = 1;
/** As bytes an id is its kind (two bits of the first), the body and the tag. */
const BODY_BYTES = 11;
const HEAD_BYTES = 1 + BODY_BYTES;
const TAG_BYTES = 5;
const TIME_BYTES = 6;
const NUMBER_BYTES = 5;
/** The length prefix of each signed part. */
const LENGTH_BYTES = 4;
const NUMBERS = 2 ** (8 * NUMBER_BYTES);

/** Returns the time (Unix ms) in an id by time, without verifying it; undefined for any other text. */
export function timeInId(id: string): number | undefined {
  const text = FORM.exec(id)?.[2];
  const bytes = text && decodeBase32(text, HEAD_BYTES + TAG_BYTES);
  return bytes && bytes[0] === BY_TIME ? bytes.readUIntBE(1, TIME_BYTES) : undefined;
}

/** Mints, derives and verifies ids. One per process, because it counts within a millisecond. */
export class Ids {
  private readonly secrets: readonly [byTime: readonly HmacKey[], byKey: readonly HmacKey[]];
  private readonly timeSecret: HmacKey;
  private readonly keySecret: HmacKey;
  private millisecond = -1;
  private number = 0;

  constructor({ ids, idempotency }: IdSecrets) {
    this.secrets = [ids.filter(Boolean).map(keyOf), idempotency.filter(Boolean).map(keyOf)];
    const [[time], [key]] = this.secrets;
    if (!time || !key) throw new RangeError('Ids needs at least one id secret and one idempotency secret');
    this.timeSecret = time;
    this.keySecret = key;
  }

  /** Returns a new id by time, unique within the process and, by its random start, across processes. */
  generate(prefix: IdPrefix, account: string, now: number = Date.now()): string {
    const head = Buffer.alloc(HEAD_BYTES, BY_TIME);
    head.writeUIntBE(now, 1, TIME_BYTES);
    head.writeUIntBE(this.nextNumber(now), 1 + TIME_BYTES, NUMBER_BYTES);
    return seal(this.timeSecret, prefix, account, head);
  }

  /**
   * Returns the offset id of an `Idempotency-Key`: always the same for an account and key (with one first secret). A key that
   * is an offset id issued to this account is that id; any other is hashed, also an `est_` id.
   */
  fromKey(account: string, key: string): string {
    if (this.read('off', key, account).verdict === 'issued') return key;
    const body = mac(this.keySecret, 'key', account, key).subarray(0, BODY_BYTES);
    return seal(this.keySecret, 'off', account, Buffer.concat([Buffer.of(BY_KEY), body]));
  }

  /** Verifies that `id` has the form of an id with this prefix and was issued to `account`. */
  read(prefix: IdPrefix, id: string, account: string): IdReading {
    const [, given, text] = FORM.exec(id) ?? [];
    const bytes = given === prefix && text ? decodeBase32(text, HEAD_BYTES + TAG_BYTES) : undefined;
    if (bytes === undefined) return { verdict: 'malformed' };
    const head = bytes.subarray(0, HEAD_BYTES);
    const [kind = -1] = head;
    const secrets = this.secrets[kind] ?? [];
    if (!secrets.some((secret) => seal(secret, prefix, account, head) === id)) return { verdict: 'not-issued' };
    if (kind === BY_KEY) return { verdict: 'issued' };
    return { verdict: 'issued', time: head.readUIntBE(1, TIME_BYTES) };
  }

  private nextNumber(now: number): number {
    this.number = now === this.millisecond ? (this.number + 1) % NUMBERS : randomInt(NUMBERS);
    this.millisecond = now;
    return this.number;
  }
}

function keyOf(secret: string): HmacKey {
  return new HmacKey(secret);
}

/**
 * Comparing sealed texts with `===` is not constant time. That is safe: a tag of 40 bits is bound to account and body, and
 * every wrong guess gets the same response.
 */
function seal(secret: HmacKey, prefix: IdPrefix, account: string, head: Buffer): string {
  const tag = mac(secret, prefix, account, head).subarray(0, TAG_BYTES);
  return `${prefix}_${encodeBase32(Buffer.concat([head, tag]), LETTERS)}`;
}

function mac(secret: HmacKey, ...parts: (string | Buffer)[]): Buffer {
  let size = 0;
  for (const part of parts) size += LENGTH_BYTES + Buffer.byteLength(part);
  const framed = Buffer.allocUnsafe(size);
  let at = 0;
  for (const part of parts) {
    const from = at + LENGTH_BYTES;
    const length = typeof part === 'string' ? framed.write(part, from, 'utf8') : part.copy(framed, from);
    at = framed.writeUInt32BE(length, at) + length;
  }
  return secret.sign(framed);
}
