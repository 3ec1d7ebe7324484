import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { HmacKey } from './hmac.js';

const bytes = fc.uint8Array({ maxLength: 300 });

describe('HMAC-SHA-256', () => {
  it('is that of RFC 4231, test case 2', () => {
    expect(new HmacKey('Jefe').sign(Buffer.from('what do ya want for nothing?')).toString('hex')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  it('is the one that Node makes, for keys and messages of every length', () => {
    const key = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.constantFrom('k'.repeat(64), 'k'.repeat(65)),
    );
    fc.assert(
      fc.property(key, bytes, bytes, (secret, one, two) => {
        const ours = new HmacKey(secret);
        for (const message of [one, two, one]) {
          const expected = createHmac('sha256', secret).update(message).digest('hex');
          expect(ours.sign(message).toString('hex')).toBe(expected);
        }
      }),
    );
  });
});
