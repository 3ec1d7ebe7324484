import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Ids, timeInId } from './ids.js';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const SECRETS = { ids: ['id secret'], idempotency: ['key secret'] };
const ids = new Ids(SECRETS);
const account = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,63}$/);
const idempotencyKey = fc.stringMatching(/^[!-~]{1,255}$/);
const moment = fc.integer({ min: 0, max: 2 ** 48 - 1 });

/** Reads and writes the 130 bits of an id as one number in the simplest way, so that a test can flip some of them. */
const bitsOf = (id: string) =>
  [...id.slice(4)].reduce((bits, letter) => (bits << 5n) | BigInt(ALPHABET.indexOf(letter)), 0n);
const fromBits = (bits: bigint) =>
  `off_${Array.from({ length: 26 }, (_, n) => ALPHABET[Number((bits >> BigInt(5 * (25 - n))) & 31n)]).join('')}`;

/** Returns the documented HMAC of length-prefixed parts in hexadecimal digits. */
function hmac(secret: string, ...parts: readonly (string | Buffer)[]): string {
  const sealing = createHmac('sha256', secret);
  for (const part of parts) sealing.update(Buffer.from([0, 0, 0, part.length])).update(part);
  return sealing.digest('hex');
}

/** Returns the id of an account with these first 90 bits. */
function sealedId(secret: string, account: string, head: bigint): string {
  const tag = hmac(secret, 'off', account, Buffer.from(head.toString(16).padStart(24, '0'), 'hex')).slice(0, 10);
  return fromBits((head << 40n) | BigInt(`0x${tag}`));
}

describe('an id by time', () => {
  it('is off_ and 26 letters, and is verified with any account and time', () => {
    fc.assert(
      fc.property(account, moment, (owner, now) => {
        const id = ids.generate('off', owner, now);
        expect(id).toMatch(/^off_[0-9a-hjkmnp-tv-z]{26}$/);
        expect(ids.read('off', id, owner)).toEqual({ verdict: 'issued', time: now });
      }),
    );
  });

  it('is of kind 00, unique and rising within a millisecond', () => {
    const generated = Array.from({ length: 1_000 }, () => ids.generate('off', 'default', 1_700_000_000_000));
    expect(new Set(generated.map((id) => bitsOf(id) >> 128n))).toEqual(new Set([0n]));
    expect(new Set(generated).size).toBe(1_000);
    const numbers = generated.map((id) => (bitsOf(id) >> 40n) & ((1n << 40n) - 1n));
    const first = numbers[0] ?? 0n;
    expect(numbers).toEqual(numbers.map((_, n) => (first + BigInt(n)) & ((1n << 40n) - 1n)));
  });

  it('starts at random in each millisecond and process', () => {
    const other = new Ids(SECRETS);
    expect(other.generate('off', 'default', 5)).not.toBe(new Ids(SECRETS).generate('off', 'default', 5));
  });
});

describe('an id by key', () => {
  it('is the same for the same account and key, and of kind 01, without a time', () => {
    fc.assert(
      fc.property(account, idempotencyKey, (owner, key) => {
        const id = ids.fromKey(owner, key);
        expect(new Ids(SECRETS).fromKey(owner, key)).toBe(id);
        expect(bitsOf(id) >> 128n).toBe(1n);
        expect(ids.read('off', id, owner)).toEqual({ verdict: 'issued' });
      }),
    );
  });

  it('is the key itself if the key is an offset id of this account', () => {
    const generated = ids.generate('off', 'default');
    expect(ids.fromKey('default', generated)).toBe(generated);
    const derived = ids.fromKey('default', 'order 7');
    expect(ids.fromKey('default', derived)).toBe(derived);
  });

  it('is derived from an estimate id, another account’s offset id and a forged one', () => {
    const estimate = ids.generate('est', 'default');
    const foreign = ids.generate('off', 'other');
    const forged = fromBits(bitsOf(ids.generate('off', 'default')) ^ 1n);
    for (const key of [estimate, foreign, forged]) {
      const id = ids.fromKey('default', key);
      expect(id).not.toBe(key);
      expect(ids.read('off', id, 'default').verdict).toBe('issued');
    }
  });

  it('is 88 bits of one HMAC and 40 of another, with length-prefixed parts', () => {
    const body = BigInt(`0x${hmac('key secret', 'key', 'acme', 'order-7').slice(0, 22)}`);
    expect(ids.fromKey('acme', 'order-7')).toBe(sealedId('key secret', 'acme', (1n << 88n) | body));
  });
});

describe('reading an id', () => {
  it('rejects an id of another account or with the tag of another prefix', () => {
    const id = ids.generate('off', 'default');
    expect(ids.read('off', id, 'other')).toEqual({ verdict: 'not-issued' });
    expect(ids.read('est', `est_${id.slice(4)}`, 'default')).toEqual({ verdict: 'not-issued' });
  });

  it('rejects an id with any of its 130 bits flipped', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.integer({ min: 0, max: 129 }), (byKey, bit) => {
        const id = byKey ? ids.fromKey('default', 'k') : ids.generate('off', 'default');
        const bent = fromBits(bitsOf(id) ^ (1n << BigInt(bit)));
        expect(ids.read('off', bent, 'default')).toEqual({ verdict: 'not-issued' });
      }),
    );
  });

  it.each([2n, 3n])('rejects kind %s even with a valid tag', (kind) => {
    const body = bitsOf(ids.generate('off', 'default')) & ((1n << 88n) - 1n);
    for (const secret of ['id secret', 'key secret']) {
      const id = sealedId(secret, 'default', (kind << 88n) | body);
      expect(ids.read('off', id, 'default')).toEqual({ verdict: 'not-issued' });
    }
  });

  it('accepts only the canonical spelling', () => {
    const id = ids.generate('off', 'default');
    const rest = id.slice(4);
    const cased = [id.toUpperCase(), `OFF_${rest}`, `off_${rest.toUpperCase()}x`];
    const cut = ['', 'off_', rest, id.slice(0, -1), `${id}0`, `${id} `, ` ${id}`, `${id}\n`];
    const changed = ['i', 'l', 'o', 'u', 'é', '-'].map((letter) => `off_${letter}${id.slice(5)}`);
    for (const spelling of [...cased, ...cut, ...changed, id.replace('_', '-'), `est_${rest}`]) {
      expect([spelling, ids.read('off', spelling, 'default')]).toEqual([spelling, { verdict: 'malformed' }]);
    }
  });

  it('accepts any text as input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(ids.read('off', text, 'default').verdict).toBe('malformed');
      }),
    );
  });
});

describe('the time in an id', () => {
  it('is read without the secrets', () => {
    expect(timeInId(ids.generate('off', 'default', 7))).toBe(7);
    expect(timeInId(ids.generate('est', 'other', 2 ** 48 - 1))).toBe(2 ** 48 - 1);
    for (const id of [ids.fromKey('default', 'k'), 'off_', '', 'order-7']) expect(timeInId(id)).toBeUndefined();
  });
});

describe('secrets', () => {
  const rotated = new Ids({ ids: ['new', 'id secret'], idempotency: ['newer', 'key secret'] });

  it('of the past still verify their ids', () => {
    expect(rotated.read('off', ids.generate('off', 'default', 7), 'default')).toEqual({ verdict: 'issued', time: 7 });
    expect(rotated.read('off', ids.fromKey('default', 'k'), 'default')).toEqual({ verdict: 'issued' });
  });

  it('at the head of the list sign new ids', () => {
    const without = new Ids({ ids: ['new'], idempotency: ['newer'] });
    expect(without.read('off', ids.generate('off', 'default'), 'default')).toEqual({ verdict: 'not-issued' });
    expect(ids.read('off', rotated.generate('off', 'default'), 'default')).toEqual({ verdict: 'not-issued' });
    expect(rotated.fromKey('default', 'k')).not.toBe(ids.fromKey('default', 'k'));
  });

  it('of one kind never verify ids of the other', () => {
    const swapped = new Ids({ ids: SECRETS.idempotency, idempotency: SECRETS.ids });
    for (const id of [ids.generate('off', 'default'), ids.fromKey('default', 'k')]) {
      expect(swapped.read('off', id, 'default')).toEqual({ verdict: 'not-issued' });
    }
  });

  it('are required', () => {
    expect(() => new Ids({ ids: [], idempotency: ['b'] })).toThrow(RangeError);
    expect(() => new Ids({ ids: ['a'], idempotency: [''] })).toThrow(RangeError);
  });
});

describe('the form of ids', () => {
  it('never changes: old ids are still verified', () => {
    const old = new Ids({ ids: ['golden'], idempotency: ['golden'] });
    const events: { id: string; account: string; createdAt: string }[] = JSON.parse(
      readFileSync(new URL('../golden/offset.requested.v1.json', import.meta.url), 'utf8'),
    );
    const [byTime, byKey, next] = events.map(({ id, account }) => old.read('off', id, account));
    expect(byTime).toEqual({ verdict: 'issued', time: Date.parse(events[0]?.createdAt ?? '') });
    expect(byKey).toEqual({ verdict: 'issued' });
    expect(next).toEqual({ verdict: 'issued', time: Date.parse(events[2]?.createdAt ?? '') + 1 });
    expect(old.fromKey('acme', 'order-7')).toBe(events[1]?.id);
  });
});
