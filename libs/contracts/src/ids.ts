import { createHmac, randomBytes } from 'node:crypto';
import { decodeBase32, encodeBase32 } from './base32.js';

/**
 * Ids that prove themselves: `off_` or `est_` and 26 letters of Crockford base32, 130 bits, big-endian:
 *
 *     2 bits kind | 88 bits body | 40 bits tag
 *
 * kind 00, by time: body = 48-bit Unix milliseconds, 40-bit number; kind 01, by key: body = the first 88 bits of
 * HMAC-SHA-256(idempotency secret; "key", account, Idempotency-Key). The tag is the first 40 bits of
 * HMAC-SHA-256(secret; prefix, account, the 90 bits before it), every part length-prefixed. So whoever holds the
 * secrets knows, with no store, whether an id was issued to an account.
 */
export type IdPrefix = 'off' | 'est';

/** What an id says about itself for one account; `time` (Unix ms) only where the id holds one. */
export type IdReading =
  | { readonly verdict: 'malformed' }
  | { readonly verdict: 'not-issued' }
  | { readonly verdict: 'issued'; readonly time?: number };

/** The secrets; the first of each list mints, all verify. At least one in each. */
export interface IdSecrets {
  readonly ids: readonly string[];
  readonly idempotency: readonly string[];
}

const FORM = /^(off|est)_([0-9a-hjkmnp-tv-z]{26})$/;
const BY_TIME = 0n;
const BY_KEY = 1n;
const NUMBER_BITS = 40n;
const NUMBER_MASK = (1n << NUMBER_BITS) - 1n;
const TAG_BITS = 40n;
const BODY_BITS = 88n;

/** Mints, derives and verifies ids. One per process: it counts within the millisecond. */
export class Ids {
  private readonly mintSecret: string;
  private readonly keySecret: string;
  private millisecond = -1;
  private number = 0n;

  constructor(private readonly secrets: IdSecrets) {
    const [ids] = secrets.ids;
    const [idempotency] = secrets.idempotency;
    if (!ids || !idempotency) throw new RangeError('Ids needs at least one id secret and one idempotency secret');
    this.mintSecret = ids;
    this.keySecret = idempotency;
  }

  /** A new id by time, unique within the process and, by its random start, across processes. */
  mint(prefix: IdPrefix, account: string, now: number = Date.now()): string {
    const body = (BigInt(now) << NUMBER_BITS) | this.nextNumber(now);
    return seal(this.mintSecret, prefix, account, (BY_TIME << BODY_BITS) | body);
  }

  /**
   * The offset id of an `Idempotency-Key`: the same for the same account and key, for ever (under one first secret).
   * A key that is an offset id issued to this account is that id; any other, an `est_` id included, is hashed.
   */
  fromKey(account: string, key: string): string {
    if (this.read('off', key, account).verdict === 'issued') return key;
    const digest = mac(this.keySecret, 'key', account, key);
    const body = BigInt(`0x${digest.subarray(0, Number(BODY_BITS) / 8).toString('hex')}`);
    return seal(this.keySecret, 'off', account, (BY_KEY << BODY_BITS) | body);
  }

  /** Whether `id` has the form of an id with this prefix, and whether it was issued to `account`. */
  read(prefix: IdPrefix, id: string, account: string): IdReading {
    const [, given, text] = FORM.exec(id) ?? [];
    const value = given === prefix && text ? decodeBase32(text) : undefined;
    if (value === undefined) return { verdict: 'malformed' };
    const head = value >> TAG_BITS;
    const kind = head >> BODY_BITS;
    const secrets = kind === BY_TIME ? this.secrets.ids : kind === BY_KEY ? this.secrets.idempotency : [];
    if (!secrets.some((secret) => seal(secret, prefix, account, head) === id)) return { verdict: 'not-issued' };
    if (kind === BY_KEY) return { verdict: 'issued' };
    return { verdict: 'issued', time: Number(head >> NUMBER_BITS) };
  }

  private nextNumber(now: number): bigint {
    this.number = now === this.millisecond ? (this.number + 1n) & NUMBER_MASK : randomNumber();
    this.millisecond = now;
    return this.number;
  }
}

function randomNumber(): bigint {
  return BigInt(`0x${randomBytes(Number(NUMBER_BITS) / 8).toString('hex')}`);
}

/**
 * Comparing the sealed text with `===` is not constant time; that tells an attacker nothing he can use, since the tag
 * is 40 bits, bound to account and body, and a wrong guess is answered the same whatever it cost.
 */
function seal(secret: string, prefix: IdPrefix, account: string, head: bigint): string {
  const bits = Buffer.from(head.toString(16).padStart(24, '0'), 'hex');
  const tag = BigInt(
    `0x${mac(secret, prefix, account, bits)
      .subarray(0, Number(TAG_BITS) / 8)
      .toString('hex')}`,
  );
  return `${prefix}_${encodeBase32((head << TAG_BITS) | tag, 26)}`;
}

function mac(secret: string, ...parts: (string | Buffer)[]): Buffer {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'utf8') : part;
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hmac.update(length).update(bytes);
  }
  return hmac.digest();
}
