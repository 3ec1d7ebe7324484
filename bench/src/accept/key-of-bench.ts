import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf, newKey, SCOPES, writeKeyFile } from '@carbon/auth';

/** More than any gateway does, so that every request is counted and none refused. */
const PLAN = { perSecond: 1_000_000, burst: 1_000_000 } as const;

/** Writes a key file into a folder: one account with one key, whose plan is counted. The key, and where the file is. */
export function keyOfBench(dir: string): { readonly key: string; readonly file: string } {
  const { id, secret, text } = newKey();
  const file = join(dir, 'keys.json');
  const entry = {
    id,
    account: 'bench',
    name: 'load',
    scopes: [...SCOPES],
    plan: 'bench',
    sha256: digestOf(secret).toString('hex'),
    createdAt: new Date().toISOString(),
  };
  writeFileSync(file, writeKeyFile({ version: 1, plans: { bench: PLAN }, keys: [entry] }), { mode: 0o600 });
  return { key: text, file };
}
