import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { decodeBase32, encodeBase32, HmacKey } from './id-encoding.js';
import { fingerprint } from './offset-request.js';
import { canonicalJson, canonicalJsonHash } from './text.js';

describe('base32', () => {
  it('encodes the last bits, five a letter, in Crockford’s alphabet', () => {
    expect(encodeBase32(Uint8Array.of(0b11), 1)).toBe('3');
    expect(encodeBase32(Uint8Array.of(0xff, 0xff), 3)).toBe('zzz');
    expect(encodeBase32(Uint8Array.of(1, 0), 3)).toBe('080');
    const alphabet = [...Array(32).keys()].map((value) => encodeBase32(Uint8Array.of(value), 1)).join('');
    expect(alphabet).toBe('0123456789abcdefghjkmnpqrstvwxyz');
  });

  it('decodes every 17 bytes whose first has two bits', () => {
    const bytes = fc
      .tuple(fc.integer({ min: 0, max: 3 }), fc.uint8Array({ minLength: 16, maxLength: 16 }))
      .map(([kind, rest]) => Buffer.from([kind, ...rest]));
    fc.assert(
      fc.property(bytes, (given) => {
        expect(decodeBase32(encodeBase32(given, 26), 17)).toEqual(given);
      }),
    );
  });

  it('rejects any other letter', () => {
    const others = ['i', 'l', 'o', 'u', 'A', ' ', '🌳'];
    expect(others.filter((letter) => decodeBase32(`0${letter}`, 2) !== undefined)).toEqual([]);
  });
});

describe('HMAC-SHA-256', () => {
  it('is that of RFC 4231, test case 2', () => {
    const signed = new HmacKey('Jefe').sign(Buffer.from('what do ya want for nothing?')).toString('hex');
    expect(signed).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843');
  });

  it('equals Node’s for keys and messages of every length', () => {
    const bytes = fc.uint8Array({ maxLength: 300 });
    const edges = fc.constantFrom('k'.repeat(64), 'k'.repeat(65));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), edges), bytes, bytes, (secret, one, two) => {
        const ours = new HmacKey(secret);
        for (const message of [one, two, one]) {
          const expected = createHmac('sha256', secret).update(message).digest('hex');
          expect(ours.sign(message).toString('hex')).toBe(expected);
        }
      }),
    );
  });
});

describe('the fingerprint of an offset request', () => {
  it('is the SHA-256 of its canonical JSON without other members', () => {
    const sha256 = createHash('sha256').update('{"customerRef":"ü","estimateId":"e","kgCO2e":1234.5}').digest('hex');
    const request = { kgCO2e: 1234.5, customerRef: 'ü', estimateId: 'e' };
    expect(fingerprint(request)).toBe(sha256);
    expect(fingerprint({ ...request, ...{ account: 'default' } })).toBe(sha256);
    expect(fingerprint({ kgCO2e: JSON.parse('1.0e3') })).toBe(fingerprint({ kgCO2e: 1000 }));
  });

  it('equals that of the canonical JSON for every weight and text, and differs for an absent member', () => {
    const text = fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined });
    const weight = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.record({ kgCO2e: weight, estimateId: text, customerRef: text }), (request) => {
        const present = Object.entries(request).filter(([, value]) => value !== undefined);
        expect(fingerprint(request)).toBe(canonicalJsonHash(Object.fromEntries(present)));
      }),
    );
  });
});

describe('canonical JSON', () => {
  it('follows the example of RFC 8785, section 3.2.2 and 3.2.3', () => {
    const value = {
      numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('does not depend on the order of members, and exists only for JSON values', () => {
    expect(canonicalJsonHash({ b: 1, a: { d: 2, c: 3 } })).toBe(canonicalJsonHash({ a: { c: 3, d: 2 }, b: 1 }));
    expect(() => canonicalJson(undefined)).toThrow(TypeError);
  });
});
