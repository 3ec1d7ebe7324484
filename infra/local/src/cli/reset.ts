import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LOCAL_DIR } from '../checkout.js';
import { standInFor } from '../engines/reach.js';
import { LockHeld, takeLock } from '../processes/lock.js';
import { sweepLeftovers } from '../processes/sweep.js';
import { EXIT } from './exit-codes.js';

/** `npm run reset`: empties the local system's folder, unless the system runs. */
export async function reset({ dir = LOCAL_DIR }: { readonly dir?: string }): Promise<void> {
  const folder = resolve(dir);
  // The secrets are the first thing a start makes: without them this is nobody's system, and not ours to empty.
  if (!existsSync(join(folder, 'secrets.json'))) return say(`there is nothing to empty in ${folder}`);
  try {
    takeLock(join(folder, 'lock'));
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    process.stderr.write(`It is running, as process ${error.holder.pid}: stop it first (kill ${error.holder.pid}).\n`);
    process.exit(EXIT.FAILED);
  }
  await sweepLeftovers(join(folder, 'run'));
  for (const place of [folder, standInFor(folder)]) rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  say(`emptied ${folder}: the next start begins anew, with new secrets`);
}

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}
