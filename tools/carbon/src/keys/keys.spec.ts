import { EMPTY_KEY_FILE, type KeyFile, KeyRing } from '@carbon/auth';
import { readAccount, readDuration, readExpiry, readScopes } from './arguments.js';
import { createKey, revokeKey, rotateKey, setPlan } from './key-changes.js';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const DAY_MS = 86_400_000;
const request = { account: 'acme', name: 'web', scopes: ['assets:read' as const], plan: 'default' };
const holder = (file: KeyFile, text: string, at = NOW) => new KeyRing(file).holderOf(text, at);

describe('creating a key', () => {
  const { file, result } = createKey(EMPTY_KEY_FILE, request, NOW);

  it('fails when the account has two live keys; revoked and expired ones do not count', () => {
    const two = createKey(file, request, NOW);
    expect(() => createKey(two.file, request, NOW)).toThrow(
      /^acme has 2 live keys already, \S+ and \S+; revoke one first$/,
    );
    expect(() => createKey(two.file, { ...request, account: 'other' }, NOW)).not.toThrow();
    expect(() => createKey(revokeKey(two.file, result.entry.id, NOW).file, request, NOW)).not.toThrow();
  });

  it('fails for an unknown plan', () => {
    expect(() => createKey(file, { ...request, plan: 'gold' }, NOW)).toThrow('there is no plan gold');
  });
});

describe('a key that is revoked', () => {
  it('is no longer accepted, and stays in the file with the time of the first revocation', () => {
    const { file, result } = createKey(EMPTY_KEY_FILE, request, NOW);
    const once = revokeKey(file, result.entry.id, NOW);
    expect(holder(once.file, result.key)).toBeUndefined();
    expect(revokeKey(once.file, result.entry.id, NOW + 1).file).toEqual(once.file);
  });

  it('must exist', () => {
    expect(() => revokeKey(EMPTY_KEY_FILE, '0123456789ab', NOW)).toThrow('there is no key 0123456789ab');
  });
});

describe('a key that is rotated', () => {
  const first = createKey(EMPTY_KEY_FILE, { ...request, plan: 'unlimited', idempotencyKeyRequired: true }, NOW);
  const next = rotateKey(first.file, first.result.entry.id, DAY_MS, NOW);

  it('has a successor with the same facts, and is accepted until the overlap is over', () => {
    const { name, account, scopes, plan } = first.result.entry;
    expect(next.result.entry).toMatchObject({ name, account, scopes, plan });
    expect(holder(next.file, next.result.key, NOW + DAY_MS)).toMatchObject({ idempotencyKeyRequired: true });
    expect(holder(next.file, first.result.key, NOW + DAY_MS - 1)).toBeDefined();
    expect(holder(next.file, first.result.key, NOW + DAY_MS)).toBeUndefined();
  });

  it('gives its successor the same lifetime, and does not live longer itself', () => {
    const short = createKey(EMPTY_KEY_FILE, { ...request, expiresAt: new Date(NOW + 2 * DAY_MS).toISOString() }, NOW);
    const later = NOW + 1.5 * DAY_MS;
    const { result } = rotateKey(short.file, short.result.entry.id, DAY_MS, later);
    expect(result.old.expiresAt).toBe(short.result.entry.expiresAt);
    expect(result.entry.expiresAt).toBe(new Date(later + 2 * DAY_MS).toISOString());
  });

  it('must be live, and the account must have fewer than two live keys', () => {
    const gone = revokeKey(first.file, first.result.entry.id, NOW);
    expect(() => rotateKey(gone.file, first.result.entry.id, DAY_MS, NOW)).toThrow('is no longer valid');
    expect(() => rotateKey(next.file, next.result.entry.id, DAY_MS, NOW)).toThrow('has 2 live keys already');
  });
});

describe('a plan', () => {
  it('is created, changed and removed, unless a key uses it', () => {
    const { file } = setPlan(EMPTY_KEY_FILE, 'gold', { perSecond: 5, burst: 9 });
    const used = createKey(file, { ...request, plan: 'gold' }, NOW);
    expect(holder(setPlan(used.file, 'gold', 'unlimited').file, used.result.key)?.plan).toEqual({ name: 'gold' });
    expect(() => setPlan(used.file, 'gold', undefined)).toThrow(/^the plan gold is used by the key \S+ of acme$/);
    expect(setPlan(file, 'gold', undefined).file).toEqual(EMPTY_KEY_FILE);
    expect(() => setPlan(file, 'unlimited', { perSecond: 1, burst: 1 })).toThrow('cannot be changed');
  });
});

describe('an argument', () => {
  it.each<[(text: string) => unknown, string[]]>([
    [readDuration, ['', '0s', '90', '1w', '36501d']],
    [readExpiry, ['2020-01-01', '2999-01-01T00:00:00', 'soon']],
    [readScopes, ['', 'offsets', 'assets:read,assets:read']],
    [readAccount, ['', 'Acme']],
  ])('is refused by %p unless it has the right form', (read, texts) => {
    for (const text of texts) expect(() => read(text)).toThrow();
  });
});
