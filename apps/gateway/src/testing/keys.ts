import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_PLAN, type KeyEntry, type KeyFile, newKey, SCOPES, secretDigest, writeKeyFile } from '@carbon/auth';

type Plans = KeyFile['plans'];

/** A key and its entry in the key file. */
export interface TestKey {
  readonly text: string;
  readonly entry: KeyEntry;
  /** The headers that present the key. */
  readonly headers: { readonly authorization: string };
}

/** Creates a key of an account, by default without a limit and with all scopes. */
export function testKey(account: string, more: Partial<KeyEntry> = {}): TestKey {
  const { id, secret, text } = newKey();
  const entry: KeyEntry = {
    id,
    account,
    name: `for ${account}`,
    scopes: [...SCOPES],
    plan: 'unlimited',
    sha256: secretDigest(secret).toString('hex'),
    createdAt: '2026-01-01T00:00:00Z',
    ...more,
  };
  return { text, entry, headers: { authorization: `Bearer ${text}` } };
}

/** A key file in a folder of its own, which is removed after the tests of the enclosing block. */
export class TestKeyFile {
  readonly folder = mkdtempSync(join(tmpdir(), 'keys-test-'));
  readonly path = join(this.folder, 'keys.json');

  constructor(keys: readonly TestKey[] = [], plans: Plans = {}) {
    this.replace(keys, plans);
    afterAll(() => rmSync(this.folder, { recursive: true }));
  }

  /** Moves a file with these keys over it, as the command does. */
  replace(keys: readonly TestKey[], plans: Plans = {}): void {
    writeFileSync(`${this.path}.new`, keyFileText(keys, plans));
    renameSync(`${this.path}.new`, this.path);
  }
}

/** The text of a key file with these keys. */
export function keyFileText(keys: readonly TestKey[], plans: Plans = {}): string {
  return writeKeyFile({ version: 1, plans, keys: keys.map(({ entry }) => entry) });
}

/** A key file with these plans, the default and the unlimited one, and a key of each. */
export class TestPlans {
  private readonly keys: ReadonlyMap<string, TestKey>;
  readonly path: string;

  constructor(plans: Plans) {
    const names = [...Object.keys(plans), DEFAULT_PLAN.name, 'unlimited'];
    this.keys = new Map(names.map((plan) => [plan, testKey(plan, { plan })]));
    this.path = new TestKeyFile([...this.keys.values()], plans).path;
  }

  /** Returns the key of a plan. */
  keyOf(plan: string): TestKey {
    const key = this.keys.get(plan);
    if (key === undefined) throw new Error(`no key of the plan ${plan}`);
    return key;
  }
}
