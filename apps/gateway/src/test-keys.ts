import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digestOf, type KeyEntry, type KeyFile, newKey, SCOPES, writeKeyFile } from '@carbon/keys';

/** A key and what the key file says of it. */
export interface TestKey {
  readonly text: string;
  readonly entry: KeyEntry;
  /** Shows the key. */
  readonly headers: { readonly authorization: string };
}

/** A new key of an account, with all scopes unless told. */
export function testKey(account: string, more: Partial<KeyEntry> = {}): TestKey {
  const { id, secret, text } = newKey();
  const entry: KeyEntry = {
    id,
    account,
    name: `for ${account}`,
    scopes: [...SCOPES],
    plan: 'unlimited',
    sha256: digestOf(secret).toString('hex'),
    createdAt: '2026-01-01T00:00:00Z',
    ...more,
  };
  return { text, entry, headers: { authorization: `Bearer ${text}` } };
}

/** A key file in a folder of its own. */
export class TestKeyFile {
  readonly folder = mkdtempSync(join(tmpdir(), 'keys-test-'));
  readonly path = join(this.folder, 'keys.json');

  constructor(...keys: readonly TestKey[]) {
    this.hold(...keys);
  }

  /** Puts a file with these keys in its place, as the command does. */
  hold(...keys: readonly TestKey[]): void {
    writeFileSync(`${this.path}.new`, textOf(...keys));
    renameSync(`${this.path}.new`, this.path);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** A key file with these keys, as text. */
export function textOf(...keys: readonly TestKey[]): string {
  const file: KeyFile = { version: 1, plans: {}, keys: keys.map(({ entry }) => entry) };
  return writeKeyFile(file);
}
