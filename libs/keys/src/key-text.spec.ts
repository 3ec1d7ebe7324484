import { digestOf, KEY_ID, keyText, newKey, readKey } from './key-text.js';

describe('a key', () => {
  it('says what it is, names its public id, and holds 256 random bits', () => {
    const { id, secret, text } = newKey();
    expect(text).toMatch(/^cl_live_[0-9a-hjkmnp-tv-z]{12}_[0-9A-Za-z]{49}$/);
    expect(id).toMatch(KEY_ID);
    expect(Math.log2(62) * secret.length).toBeGreaterThanOrEqual(256);
  });

  it('is another one each time, in every place of its secret', () => {
    const secrets = Array.from({ length: 500 }, () => newKey().secret);
    expect(new Set(secrets).size).toBe(500);
    for (let place = 0; place < 43; place += 1) {
      expect(new Set(secrets.map((secret) => secret[place])).size).toBeGreaterThan(50);
    }
  });

  it('is read back into its parts', () => {
    const { id, secret, text } = newKey();
    expect(readKey(text)).toEqual({ id, secret });
  });

  it('has a checksum that does not change between versions', () => {
    expect(keyText({ id: '0123456789ab', secret: 'a'.repeat(43) })).toBe(EXAMPLE);
    expect(readKey(EXAMPLE)).toEqual({ id: '0123456789ab', secret: 'a'.repeat(43) });
  });

  it('is told from one with any single typo, or two neighbours changed round, by itself', () => {
    const { text } = newKey();
    for (let at = 0; at < text.length; at += 1) {
      for (const typo of ['0', 'Z', 'x', '-', 'é']) {
        if (typo !== text[at]) expect(readKey(text.slice(0, at) + typo + text.slice(at + 1))).toBeUndefined();
      }
      const [one = '', two = ''] = text.slice(at, at + 2);
      if (two !== '' && one !== two)
        expect(readKey(text.slice(0, at) + two + one + text.slice(at + 2))).toBeUndefined();
      expect(readKey(text.slice(0, at) + text.slice(at + 1))).toBeUndefined();
    }
  });

  it.each(['', ' ', 'cl_live_', `${'a'.repeat(100_000)}!`, ` ${'x'.repeat(69)}`])('is not %#', (text) => {
    expect(readKey(text)).toBeUndefined();
  });

  it('is kept as the SHA-256 of its secret alone', () => {
    expect(digestOf('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

const EXAMPLE = 'cl_live_0123456789ab_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa48mhzt';
