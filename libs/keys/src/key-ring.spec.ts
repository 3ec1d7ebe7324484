import { KeyRing } from './key-ring.js';
import { newKey } from './key-text.js';
import { testKey } from './test-keys.js';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const good = testKey({ scopes: ['assets:read'], plan: 'gold' });
const revoked = testKey({ revokedAt: '2027-01-01T00:00:00Z' });
const expiring = testKey({ expiresAt: '2026-06-01T00:00:00Z' });
const wrong = testKey();
const ring = new KeyRing({
  version: 1,
  plans: { gold: { perSecond: 7, burst: 9 } },
  keys: [good.entry, revoked.entry, expiring.entry, { ...wrong.entry, sha256: '0'.repeat(64) }],
});

describe('the keys of a file', () => {
  it('tell whose a key is, what it may do, and how often', () => {
    expect(ring.holderOf(good.text, NOW)).toEqual({
      id: good.entry.id,
      account: 'acme',
      scopes: new Set(['assets:read']),
      plan: { name: 'gold', limit: { perSecond: 7, burst: 9 } },
    });
  });

  it('take a key till the moment it expires', () => {
    expect(ring.holderOf(expiring.text, NOW - 1)?.id).toBe(expiring.entry.id);
    expect(ring.holderOf(expiring.text, NOW)).toBeUndefined();
  });

  it('take a revoked key no more, also when its file was written by a clock that is ahead', () => {
    expect(ring.holderOf(revoked.text, NOW)).toBeUndefined();
  });

  it('take no key whose secret is another one, that is unknown, or that is none', () => {
    for (const text of [wrong.text, newKey().text, '', 'x', good.text.slice(1), `${good.text} `]) {
      expect(ring.holderOf(text, NOW)).toBeUndefined();
    }
  });

  it('are counted while they are taken', () => {
    expect([ring.live(NOW - 1), ring.live(NOW)]).toEqual([3, 2]);
  });

  it('tell which accounts have more than two live ones; those that are revoked or expired do not count', () => {
    const of = (account: string, ...more: object[]) => more.map((each) => testKey({ account, ...each }));
    const gone = [{ revokedAt: '2026-05-01T00:00:00Z' }, { expiresAt: '2026-06-01T00:00:00Z' }];
    const keys = [...of('acme', {}, ...gone, {}), ...of('other', {}, {}, gone[0] ?? {}, {})];
    const crowd = new KeyRing({ version: 1, plans: {}, keys: keys.map(({ entry }) => entry) });
    expect(crowd.crowded(NOW)).toEqual(['other']);
    // To a clock that is behind, the expired one is live; it is taken, and so are the two that came after it.
    expect(crowd.crowded(NOW - 1)).toEqual(['acme', 'other']);
    for (const { text } of keys.slice(0, 4))
      expect(crowd.holderOf(text, NOW - 1) === undefined).toBe(text === keys[1]?.text);
  });
});

const SAMPLES = 1_000;
const IN_A_SAMPLE = 20;

describe('the time a refused key takes', () => {
  // Of the processor; in turns, so that what happens beside it meets all alike; medians, so that it does not matter how much.
  it('is the same for unknown, wrong, revoked, expired and malformed, at 1,000 samples each', () => {
    const kinds = {
      unknown: () => newKey().text,
      wrong: () => wrong.text,
      revoked: () => revoked.text,
      expired: () => expiring.text,
      malformed: () => good.text.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
    };
    const texts = Object.entries(kinds).map(([kind, text]) => ({
      kind,
      text: text(),
      times: new Float64Array(SAMPLES),
    }));
    for (let sample = -SAMPLES / 4; sample < SAMPLES; sample += 1) {
      for (const { text, times } of texts) {
        const begin = process.cpuUsage();
        for (let nth = 0; nth < IN_A_SAMPLE; nth += 1) ring.holderOf(text, NOW);
        const { user, system } = process.cpuUsage(begin);
        if (sample >= 0) times[sample] = user + system;
      }
    }
    const medians = texts.map(({ times }) => times.sort()[SAMPLES / 2] ?? 0);
    // Leaving out the hash, or stopping before the comparison, halves the time or more.
    expect(Math.max(...medians) / Math.min(...medians)).toBeLessThan(1.5);
  });
});
