import { KEY_ID, keyText, newKey, readKey, secretDigest, withoutSecrets } from './key-format.js';
import { KeyRing } from './key-ring.js';
import { testKey } from './testing/keys.js';

describe('a key', () => {
  const EXAMPLE = 'cl_live_0123456789ab_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa48mhzt';

  it('has a prefix, a public id and 256 random bits, and is parsed into its parts', () => {
    const { id, secret, text } = newKey();
    expect(text).toMatch(/^cl_live_[0-9a-hjkmnp-tv-z]{12}_[0-9A-Za-z]{49}$/);
    expect(id).toMatch(KEY_ID);
    expect(Math.log2(62) * secret.length).toBeGreaterThanOrEqual(256);
    expect(readKey(text)).toEqual({ id, secret });
  });

  it('is random in every character of its secret', () => {
    const secrets = Array.from({ length: 500 }, () => newKey().secret);
    expect(new Set(secrets).size).toBe(500);
    for (let place = 0; place < 43; place += 1) {
      expect(new Set(secrets.map((secret) => secret[place])).size).toBeGreaterThan(50);
    }
  });

  it('has a checksum that is the same in every version', () => {
    expect(keyText({ id: '0123456789ab', secret: 'a'.repeat(43) })).toBe(EXAMPLE);
    expect(readKey(EXAMPLE)).toEqual({ id: '0123456789ab', secret: 'a'.repeat(43) });
  });

  it('is rejected with any single typo or transposition', () => {
    const { text } = newKey();
    for (let at = 0; at < text.length; at += 1) {
      const [before, one = '', two = '', after] = [text.slice(0, at), text[at], text[at + 1], text.slice(at + 2)];
      const typos = ['0', 'Z', 'x', '-', 'é', ''].map((typo) => before + typo + two + after);
      for (const wrong of [...typos, before + two + one + after].filter((each) => each !== text))
        expect(readKey(wrong)).toBeUndefined();
    }
  });

  it.each(['', ' ', 'cl_live_', `${'a'.repeat(100_000)}!`, ` ${'x'.repeat(69)}`])('is no other text: %#', (text) => {
    expect(readKey(text)).toBeUndefined();
  });

  it('is stored as the SHA-256 of its secret', () => {
    expect(secretDigest('abc').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});

describe('KeyRing', () => {
  const NOW = Date.parse('2026-06-01T00:00:00Z');
  const DAY_MS = 86_400_000;
  const good = testKey({ scopes: ['assets:read'], plan: 'gold' });
  const revoked = testKey({ revokedAt: '2027-01-01T00:00:00Z' });
  const expiring = testKey({ expiresAt: '2026-06-01T00:00:00Z' });
  const wrong = testKey();
  const ring = new KeyRing({
    version: 1,
    plans: { gold: { perSecond: 7, burst: 9 } },
    keys: [good.entry, revoked.entry, expiring.entry, { ...wrong.entry, sha256: '0'.repeat(64) }],
  });

  it('returns the account, scopes and plan of a key', () => {
    expect(ring.holderOf(good.text, NOW)).toEqual({
      id: good.entry.id,
      account: 'acme',
      scopes: new Set(['assets:read']),
      plan: { name: 'gold', limit: { perSecond: 7, burst: 9 } },
    });
  });

  it('accepts a key until it expires, and no revoked key at any time', () => {
    expect(ring.holderOf(expiring.text, NOW - 1)?.id).toBe(expiring.entry.id);
    expect(ring.holderOf(expiring.text, NOW)).toBeUndefined();
    expect(ring.holderOf(revoked.text, NOW)).toBeUndefined();
    expect([ring.live(NOW - 1), ring.live(NOW)]).toEqual([3, 2]);
  });

  it('rejects a wrong secret, an unknown key and any other text', () => {
    for (const text of [wrong.text, newKey().text, '', 'x', good.text.slice(1), `${good.text} `]) {
      expect(ring.holderOf(text, NOW)).toBeUndefined();
    }
  });

  it('counts live keys that expire soon, unless their account has a longer one with their scopes', () => {
    const soon = { expiresAt: '2026-06-03T00:00:00Z' };
    const reader = ['assets:read'] as const;
    const keys = [
      ...[testKey({ account: 'lonely', ...soon }), testKey({ account: 'later', expiresAt: '2026-07-01T00:00:00Z' })],
      ...[testKey({ account: 'rotated', ...soon }), testKey({ account: 'rotated' })],
      ...[testKey({ account: 'narrowed', ...soon }), testKey({ account: 'narrowed', scopes: [...reader] })],
      ...[testKey({ account: 'revoked', ...soon, revokedAt: '2026-05-01T00:00:00Z' })],
    ];
    const many = new KeyRing({ version: 1, plans: {}, keys: keys.map(({ entry }) => entry) });
    expect(many.expiring(NOW, 2 * DAY_MS)).toBe(2);
    expect(many.expiring(NOW, DAY_MS)).toBe(0);
    expect(many.expiring(Date.parse('2026-06-04T00:00:00Z'), 4 * DAY_MS)).toBe(0);
  });

  it('counts a key of a few days only in the last fifth of its life', () => {
    const { entry } = testKey({ createdAt: '2026-06-01T00:00:00Z', expiresAt: '2026-06-06T00:00:00Z' });
    const short = new KeyRing({ version: 1, plans: {}, keys: [entry] });
    const counts = ['2026-06-01', '2026-06-04', '2026-06-05', '2026-06-06'].map((day) =>
      short.expiring(Date.parse(`${day}T00:00:00Z`), 7 * DAY_MS),
    );
    expect(counts).toEqual([0, 0, 1, 0]);
  });

  it('lists the accounts with more than two live keys', () => {
    const of = (account: string, ...more: object[]) => more.map((each) => testKey({ account, ...each }));
    const gone = [{ revokedAt: '2026-05-01T00:00:00Z' }, { expiresAt: '2026-06-01T00:00:00Z' }];
    const keys = [...of('acme', {}, ...gone, {}), ...of('other', {}, {}, gone[0] ?? {}, {})];
    const manyKeys = new KeyRing({ version: 1, plans: {}, keys: keys.map(({ entry }) => entry) });
    expect(manyKeys.accountsAtLimit(NOW)).toEqual(['other']);
    // By a clock that is behind, the expired key is still live; it is accepted, and so are its two successors.
    expect(manyKeys.accountsAtLimit(NOW - 1)).toEqual(['acme', 'other']);
    for (const { text } of keys.slice(0, 4))
      expect(manyKeys.holderOf(text, NOW - 1) === undefined).toBe(text === keys[1]?.text);
  });
});

describe('withoutSecrets', () => {
  const { id, secret, text: key } = newKey();
  const shown = `cl_live_${id}_…`;

  it.each([
    ['a key in quotes', `argument '${key}' is invalid`, `argument '${shown}' is invalid`],
    ['several', `--key=${key}' "${key}"; ${key}, ${key}`, `--key=${shown}' "${shown}"; ${shown}, ${shown}`],
    ['a key within an address', `/v1/offsets/${key}/x?y=1`, `/v1/offsets/${shown}`],
    ['a key as a name', `keys[0].${key} is not known`, `keys[0].${shown} is not known`],
    ['an encoded one', `at /v1/${key.replaceAll('_', '%5F')}`, `at /v1/cl%5Flive%5F${id}%5F…`],
    ['a character too many in the id', `cl_live_${id}x_${secret}`, 'cl_live_…'],
    ['a wrong character in the id', `cl_live_${id.slice(0, 4)}-${secret}`, 'cl_live_…'],
    ['one in the secret', `cl_live_${id}_${secret.slice(0, 9)}-${secret.slice(9)}`, shown],
    ['no id', `cl_live_${secret}`, 'cl_live_…'],
    ['no beginning', `l_live_${id}_${secret}`, `l_live_${id}_…`],
    ['its end cut off', `cl_live_${id}_${secret.slice(0, 5)}`, shown],
  ])('keeps only the public id of each key, mistyped or not: %s', (_, said, expected) => {
    const once = withoutSecrets(said);
    expect(once).toBe(expected);
    expect(once).not.toContain(secret);
    expect(withoutSecrets(once)).toBe(once);
  });

  it.each([`the key ${id} of 'cl_live'`, `off_${'0'.repeat(26)} of acme_${'a'.repeat(42)}`, 'a1B'.repeat(21), ''])(
    'changes no text without a key: %#',
    (said) => expect(withoutSecrets(said)).toBe(said),
  );

  it('takes linear time', () => {
    const before = process.cpuUsage();
    for (const piece of ['cl_live_', '_', `cl_live_${id}_`, 'a', `_${'a'.repeat(42)}`, '%5f']) {
      withoutSecrets(piece.repeat(500_000 / piece.length));
    }
    // Processor time in microseconds. Quadratic time would take minutes.
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });
});
