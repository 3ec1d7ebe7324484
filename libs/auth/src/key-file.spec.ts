import { EMPTY_KEY_FILE, KeyFileError, readKeyFile, writeKeyFile } from './key-file.js';
import { testKey } from './testing/keys.js';

function issuesOf(content: unknown): string[] {
  try {
    readKeyFile(typeof content === 'string' ? content : JSON.stringify(content));
    return [];
  } catch (error) {
    if (!(error instanceof KeyFileError)) throw error;
    return error.issues.map(({ place, detail }) => `${place} ${detail}`);
  }
}

const { entry } = testKey();
const file = (...keys: object[]) => ({ version: 1, plans: {}, keys });

describe('a key file', () => {
  it('is read as written', () => {
    const keyFile = {
      ...EMPTY_KEY_FILE,
      plans: { gold: { perSecond: 5, burst: 10 } },
      keys: [{ ...entry, plan: 'gold' }],
    };
    expect(readKeyFile(writeKeyFile(keyFile))).toEqual(keyFile);
  });

  it('may omit its plans, and a key its plan', () => {
    const { plan: _, ...rest } = entry;
    expect(readKeyFile(JSON.stringify({ version: 1, keys: [rest] })).keys[0]?.plan).toBe('default');
  });

  it('is rejected with every error and its place', () => {
    const known = { ...entry, id: 'X', account: 'Acme Inc', scopes: ['offsets:delete'], sha256: 'abc' };
    const wrong = { ...known, createdAt: 'today', secret: 'oops' };
    const plans = { Gold: {}, free: { perSecond: 2, burst: 1 } };
    expect(issuesOf({ version: 2, plans, keys: [entry, wrong, 7] })).toEqual([
      'version must be 1',
      'plans.Gold is an invalid plan name: must be 1 to 32 characters from a-z, 0-9 and -, starting with a letter',
      'plans.free must have a burst of at least perSecond',
      'keys[1].id must be the public id of a key, 12 characters',
      'keys[1].account must be 1 to 64 of a-z 0-9 _ -',
      'keys[1].scopes[0] must be one of offsets:write, offsets:read, assets:read',
      'keys[1].sha256 must be 64 lower-case hexadecimal digits',
      'keys[1].createdAt must be a time in UTC, such as 2026-01-31T00:00:00Z',
      'keys[1] has unknown members: secret',
      'keys[2] has the wrong type',
    ]);
  });

  it.each([
    ['{"version": 1,\n "keys": [}', ['line 2, column 11 is not JSON']],
    ['{"version": 1, "keys": [tru]}', ['line 1, column 28 is not JSON']],
    ['{"version": 1, "keys": "unended}\n', ['line 1, column 33 is not JSON']],
    ['', ['the file, which is empty, is not JSON']],
    ['{"version": 1', ['the file, which ends too soon, is not JSON']],
    ['{}', ['version must be 1', 'keys is missing']],
    ['[]', ['the file has the wrong type']],
    [file({ ...entry, name: '' }), ['keys[0].name must be 1 to 64 characters long']],
    [file({ ...entry, scopes: [] }), ['keys[0].scopes must contain at least one scope']],
    [file({ ...entry, scopes: ['assets:read', 'assets:read'] }), ['keys[0].scopes must contain each scope once']],
    [file({ ...entry, plan: 'gold' }), ['keys[0].plan is an unknown plan: "gold"']],
    [file({ ...entry, plan: 'toString' }), ['keys[0].plan is an unknown plan: "toString"']],
    [file({ ...entry, expiresAt: '2025-12-31T00:00:00Z' }), ['keys[0].expiresAt must be later than createdAt']],
    [file(entry, { ...entry, account: 'other' }), ['keys[1].id is that of keys[0]']],
    [
      { ...file(), plans: { unlimited: { perSecond: 1, burst: 1 } } },
      ['plans.unlimited cannot be defined: every file has this plan, without a limit'],
    ],
  ])('is rejected: %j', (content, issues) => {
    expect(issuesOf(content)).toEqual(issues);
  });

  it('is never quoted with a secret', () => {
    const { text, entry } = testKey();
    expect(issuesOf(`{"version": 1, "keys": [${text}]}`).join()).not.toContain(text.slice(0, 12));
    const issues = issuesOf({ ...file({ ...entry, plan: text, [text]: 1 }, { ...entry, plan: text }), [text]: text });
    expect(issues.join()).toContain(`has unknown members: cl_live_${entry.id}_…`);
    expect(issues.join()).not.toContain(text.slice(-20));
  });
});
