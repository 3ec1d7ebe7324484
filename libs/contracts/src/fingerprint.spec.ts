import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { canonicalJson, hashOf } from './canonical-json.js';
import { fingerprint } from './fingerprint.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('the fingerprint of a wish', () => {
  it('is the SHA-256 of its canonical JSON', () => {
    expect(fingerprint({ kgCO2e: 1234.5, customerRef: 'u-1' })).toBe(sha256('{"customerRef":"u-1","kgCO2e":1234.5}'));
    expect(fingerprint({ kgCO2e: 1, customerRef: 'ü', estimateId: 'e' })).toBe(
      sha256('{"customerRef":"ü","estimateId":"e","kgCO2e":1}'),
    );
  });

  it('is that of the canonical JSON for every weight and every text, escapes and all', () => {
    const text = fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined });
    const wish = fc.record({
      kgCO2e: fc.double({ noNaN: true, noDefaultInfinity: true }),
      estimateId: text,
      customerRef: text,
    });
    fc.assert(
      fc.property(wish, ({ kgCO2e, estimateId, customerRef }) => {
        const present = Object.entries({ kgCO2e, estimateId, customerRef }).filter(([, value]) => value !== undefined);
        expect(fingerprint({ kgCO2e, estimateId, customerRef })).toBe(hashOf(Object.fromEntries(present)));
      }),
    );
  });

  it('is the same for every spelling of the same number', () => {
    expect(fingerprint({ kgCO2e: JSON.parse('1.0e3') })).toBe(fingerprint({ kgCO2e: 1000 }));
  });

  it('tells apart weight, estimate and customer, and an absent member from any text', () => {
    const prints = [
      fingerprint({ kgCO2e: 1 }),
      fingerprint({ kgCO2e: 2 }),
      fingerprint({ kgCO2e: 1, customerRef: 'a' }),
      fingerprint({ kgCO2e: 1, estimateId: 'a' }),
      fingerprint({ kgCO2e: 1, estimateId: 'a', customerRef: 'a' }),
    ];
    expect(new Set(prints).size).toBe(prints.length);
  });

  it('knows no difference between absent and undefined, nor anything outside the wish', () => {
    expect(fingerprint({ kgCO2e: 1, customerRef: undefined })).toBe(fingerprint({ kgCO2e: 1 }));
    const more = { kgCO2e: 1, account: 'default' };
    expect(fingerprint(more)).toBe(fingerprint({ kgCO2e: 1 }));
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

  it('does not depend on the order in which members were set', () => {
    expect(hashOf({ b: 1, a: { d: 2, c: 3 } })).toBe(hashOf({ a: { c: 3, d: 2 }, b: 1 }));
  });

  it('exists only for JSON values', () => {
    expect(() => canonicalJson(undefined)).toThrow(TypeError);
  });
});
