import type { KeyEntry } from '../key-entry.js';
import { newKey, secretDigest } from '../key-format.js';

/** Returns a new key and its entry in a key file; by default of the account `acme`, with all scopes. */
export function testKey(more: Partial<KeyEntry> = {}): { readonly text: string; readonly entry: KeyEntry } {
  const { id, secret, text } = newKey();
  const entry: KeyEntry = {
    id,
    name: 'a key',
    account: 'acme',
    scopes: ['offsets:write', 'offsets:read', 'assets:read'],
    plan: 'default',
    sha256: secretDigest(secret).toString('hex'),
    createdAt: '2026-01-01T00:00:00Z',
    ...more,
  };
  return { text, entry };
}
