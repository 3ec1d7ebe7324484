import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf, EMPTY_KEY_FILE, newKey, SCOPES, writeKeyFile } from '@carbon/auth';
import { startSystem, temporaryDir } from '@carbon/local';
import type { Identity, Target } from './target.js';

const ACCOUNTS = ['first', 'second'];

/** A whole system with engines of its own, in a temporary folder, whose gateway takes the keys of two accounts. */
export async function ownSystem(say: (sentence: string) => void, signal: AbortSignal): Promise<Target> {
  const folder = await temporaryDir();
  const identities = ACCOUNTS.map((name) => ({ name, ...newKey() }));
  const file = join(folder.dir, 'keys.json');
  writeFileSync(file, keyFile(identities), { mode: 0o600 });
  // Wrong keys are part of what is tried: the thousandth must be told the same as the first.
  const gateway = { environment: { API_KEYS_FILE: file, RATE_LIMIT_FAILED_KEYS: 'unlimited' } };
  say('starting a system of its own, which takes about a minute');
  try {
    const system = await startSystem({ dir: folder.dir, apps: { gateway }, shortLived: true, signal });
    const stop = async () => {
      await system.stop();
      folder.remove();
    };
    return { url: system.urls.gateway, identities: identities.map(({ name, text: key }) => ({ name, key })), stop };
  } catch (error) {
    folder.remove();
    throw error;
  }
}

function keyFile(identities: readonly (Pick<Identity, 'name'> & ReturnType<typeof newKey>)[]): string {
  const keys = identities.map(({ name, id, secret }) => ({
    id,
    name,
    account: name,
    scopes: [...SCOPES],
    plan: 'unlimited',
    sha256: digestOf(secret).toString('hex'),
    createdAt: new Date().toISOString(),
  }));
  return writeKeyFile({ ...EMPTY_KEY_FILE, keys });
}
